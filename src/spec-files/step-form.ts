import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import { jsonPointer } from '../lib/json/json-pointer';
import { camelCase } from '../lib/yaml/key-names';
import { withoutForeignWords } from './foreign-words';
import { asWritten, chainForms, type Placed, placeBelow, placeEach } from './placed';

const MODEL_CALL = 'llm.call';

/** Moves a model call's parameters out of `with`. A file that gives one of them twice stays as it is. */
function unwrapParameters(step: JsonObject): Placed<JsonObject> {
  const { with: wrapped, ...beside } = step;
  if (!isJsonObject(wrapped)) return asWritten(step);
  const named = Object.entries(wrapped).map(([key, value]) => [camelCase(key), key, value] as const);
  const names = new Set([...Object.keys(beside), ...named.map(([name]) => name)]);
  if (names.size < Object.keys(beside).length + named.length) return asWritten(step);
  return {
    value: { ...beside, ...Object.fromEntries(named.map(([name, , value]) => [name, value])) },
    inFile(pointer) {
      const moved = named.find(([name]) => pointer === jsonPointer([name]) || pointer.startsWith(`/${name}/`));
      return moved ? `${jsonPointer(['with', moved[1]])}${pointer.slice(moved[0].length + 1)}` : pointer;
    },
  };
}

function stepForm(step: JsonObject): Placed<JsonObject> {
  if (step['action'] !== MODEL_CALL) return asWritten(step);
  return chainForms(unwrapParameters(step), modelCallForm);
}

/** A model call without the words of other engines, such as one for its provider. */
export function modelCallForm(call: JsonObject): Placed<JsonObject> {
  return withoutForeignWords(call, 'call');
}

function evaluatorForm(evaluator: Json): Placed {
  return isJsonObject(evaluator) ? withoutForeignWords(evaluator, 'call') : asWritten(evaluator);
}

export function stepsForm(spec: JsonObject): Placed<JsonObject> {
  return [
    (value: JsonObject) => placeBelow(value, 'generator', stepForm),
    (value: JsonObject) => placeBelow(value, 'corrector', stepForm),
    (value: JsonObject) => placeBelow(value, 'evaluator', evaluatorForm),
    (value: JsonObject) => placeEach(value, 'evaluator', evaluatorForm),
  ].reduce(chainForms, asWritten(spec));
}
