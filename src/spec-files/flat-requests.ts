import { requestCommon } from '../loop/contract/requests';
import type { Json, JsonObject } from '../lib/json/json';
import { asWritten, type Placed } from './placed';

/** Fields of both requests that stand beside the evaluator or corrector, in the flat dialect, too. */
const COMMON = ['data', ...Object.keys(requestCommon)];

function partition(value: JsonObject, beside: readonly string[]): [JsonObject, JsonObject] {
  const entries = Object.entries(value);
  const isBeside = ([key]: [string, Json]): boolean => beside.includes(key);
  return [
    Object.fromEntries(entries.filter(isBeside)),
    Object.fromEntries(entries.filter((entry) => !isBeside(entry))),
  ];
}

/** Pointers into the part `name` as they were written: one level up, and its `field` under another name. */
function flatPointer(name: string, field: string, flatField: string): Placed['inFile'] {
  return (pointer) => {
    if (pointer !== `/${name}` && !pointer.startsWith(`/${name}/`)) return pointer;
    const inside = pointer.slice(name.length + 1);
    return inside === `/${field}` ? `/${flatField}` : inside;
  };
}

/** The flat dialect has `evaluatorType` (default `schema`) and the fields of that evaluator beside the data. */
export function unflattenEvaluation(value: JsonObject): Placed<JsonObject> {
  if ('evaluator' in value) return asWritten(value);
  const [beside, { evaluatorType = 'schema', ...fields }] = partition(value, COMMON);
  return {
    value: { ...beside, evaluator: { ...fields, type: evaluatorType } },
    inFile: flatPointer('evaluator', 'type', 'evaluatorType'),
  };
}

/** The flat dialect has `correctorAction`, `run` or `prompt` beside the data; with none, a model gets the built-in revision. */
export function unflattenCorrection(value: JsonObject): Placed<JsonObject> {
  if ('corrector' in value) return asWritten(value);
  const [beside, { correctorAction, ...fields }] = partition(value, [...COMMON, 'errors']);
  const action = correctorAction ?? ('run' in fields ? undefined : 'llm.call');
  return {
    value: { ...beside, corrector: { ...fields, ...(action === undefined ? {} : { action }) } },
    inFile: flatPointer('corrector', 'action', 'correctorAction'),
  };
}
