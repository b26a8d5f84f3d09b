import { isDeepStrictEqual } from 'node:util';
import { firstCharacters } from '../../../lib/text/summary-text';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renders a value; long texts are shown by their beginnings. */
function renderShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return firstCharacters(text, 120);
}

/**
 * Describes the first path at which a value lacks or changes something of another one, with both values; undefined if all is
 * there. Objects may have more fields than before, lists may not have more items.
 */
export function firstDifference(before: unknown, now: unknown, path = ''): string | undefined {
  if (isObject(before) && isObject(now)) {
    for (const [key, value] of Object.entries(before)) {
      const difference = firstDifference(value, now[key], `${path}/${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    for (const [index, value] of before.entries()) {
      const difference = firstDifference(value, now[index], `${path}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isDeepStrictEqual(before, now)) return undefined;
  return `${path === '' ? 'the end' : path} was ${renderShort(before)} and is ${renderShort(now)}`;
}
