import type { Json } from '../json/json';
import { isJsonObject } from '../json/json';
import { jsonPointer } from '../json/json-pointer';

/** One place where a value is not what it should be. It does not say what would be right: that may be the solution. */
export interface Difference {
  /** JSON Pointer, `` for the whole. */
  path: string;
  kind: 'missing' | 'unexpected' | 'different';
}

/** Lists the places at which two JSON values differ, up to a limit. The order of keys means nothing. */
export function differences(actual: Json, expected: Json, limit: number): Difference[] {
  const found: Difference[] = [];
  const compare = (one: Json | undefined, other: Json | undefined, path: (string | number)[]): void => {
    if (found.length >= limit || one === other) return;
    const note = (kind: Difference['kind']): void => void found.push({ path: jsonPointer(path), kind });
    if (one === undefined) return note('missing');
    if (other === undefined) return note('unexpected');
    if (Array.isArray(one) && Array.isArray(other)) {
      for (let index = 0; index < Math.max(one.length, other.length) && found.length < limit; index++) {
        compare(one[index], other[index], [...path, index]);
      }
    } else if (isJsonObject(one) && isJsonObject(other)) {
      for (const key of new Set([...Object.keys(other), ...Object.keys(one)])) {
        compare(own(one, key), own(other, key), [...path, key]);
      }
    } else note('different');
  };
  compare(actual, expected, []);
  return found;
}

/** Returns the value of a key. An inherited property, such as `constructor`, does not count. */
function own(value: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
