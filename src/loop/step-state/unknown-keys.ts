import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { didYouMean } from '../../lib/names/nearest-name';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { surelyReadKeys } from '../../lib/text/template-reads';

/** Keys of values, code or rules, whose texts are not rendered as templates. */
const NO_TEMPLATES = new Set(['state', 'data', 'errors', 'schema', 'reply', 'run', 'examples', 'pattern', 'words']);

/** Whether a corrector adds hints to the state: their keys are not known in advance. */
function givesHints(spec: JsonObject): boolean {
  const { corrector } = spec;
  return isJsonObject(corrector) && corrector['mode'] === 'hint';
}

function readIn(
  value: Json,
  path: readonly (string | number)[],
): { key: string; path: readonly (string | number)[] }[] {
  if (typeof value === 'string') return surelyReadKeys(value).map((key) => ({ key, path }));
  if (Array.isArray(value)) return value.flatMap((item, index) => readIn(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (NO_TEMPLATES.has(key) ? [] : readIn(inner, [...path, key])));
}

/** Lists keys that templates print although the state has none of that name, and nothing of the run adds one. */
export function unknownKeys(spec: Json, state: JsonObject): SpecProblem[] {
  if (!isJsonObject(spec) || givesHints(spec)) return [];
  const names = Object.keys(state);
  return readIn(spec, []).flatMap(({ key, path }) => {
    if (key.startsWith('reflection_') || Object.hasOwn(state, key)) return [];
    const message = `prints state.${key}, and the state has no key of that name${didYouMean(key, names)}`;
    return [{ path: jsonPointer(path), message }];
  });
}
