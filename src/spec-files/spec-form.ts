import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import { expandSpec, pathsAsWritten } from '../loop/spec/short-form';
import { asWritten, chainForms, type Placed } from './placed';
import { stepsForm } from './step-form';
import { placeTriggers } from './trigger-names';

export function specForm(written: Json): Placed {
  const spec = placeTriggers(written);
  return isJsonObject(spec) ? [criteriaForm, longForm].reduce(chainForms, stepsForm(spec)) : asWritten(spec);
}

function longForm(spec: JsonObject): Placed<JsonObject> {
  const { value, moved } = expandSpec(spec);
  return { value: value as JsonObject, inFile: pathsAsWritten(moved) };
}

function criteriaForm(spec: JsonObject): Placed<JsonObject> {
  if (!Object.hasOwn(spec, 'qualityCriteria')) return asWritten(spec);
  const { qualityCriteria, ...rest } = spec;
  const added: Json = { type: 'criteria', criteria: qualityCriteria! };
  const { evaluator } = rest;
  if (evaluator === undefined) {
    return {
      value: { ...rest, evaluator: added },
      inFile: (pointer) => movePointer(pointer, '/evaluator/criteria', '/qualityCriteria'),
    };
  }
  const others = [evaluator].flat();
  return {
    value: { ...rest, evaluator: [...others, added] },
    inFile: (pointer) => {
      const own = movePointer(pointer, `/evaluator/${others.length}/criteria`, '/qualityCriteria');
      return Array.isArray(evaluator) || own !== pointer ? own : movePointer(pointer, '/evaluator/0', '/evaluator');
    },
  };
}

function movePointer(pointer: string, from: string, to: string): string {
  return pointer === from || pointer.startsWith(`${from}/`) ? `${to}${pointer.slice(from.length)}` : pointer;
}
