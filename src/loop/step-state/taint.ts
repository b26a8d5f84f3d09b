import { ALL_KEYS } from '../../lib/text/template-reads';
import type { JsonObject } from '../../lib/json/json';
import { MOST_MATERIAL, NAME_CHARACTERS } from '../../lib/base/maxima';

/** Whether a key is a name: a model may have chosen it. */
function isName(key: string): boolean {
  return key !== '' && key.length <= NAME_CHARACTERS;
}

/** Too many keys, or too long ones, become all keys; no field if there are none. */
export function materialIn(state: JsonObject, keys: Iterable<string>): { material?: string[] } {
  const given = new Set(keys);
  if (given.has(ALL_KEYS)) return { material: [ALL_KEYS] };
  const found = [...given].filter((key) => {
    const value = Object.hasOwn(state, key) ? state[key] : null;
    return typeof value === 'string' || (typeof value === 'object' && value !== null);
  });
  if (found.length === 0) return {};
  return { material: found.length > MOST_MATERIAL || !found.every(isName) ? [ALL_KEYS] : found };
}
