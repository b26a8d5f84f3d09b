import { nearestName } from '../names/nearest-name';
import { type Shape, shapeAt, snakeCase } from './key-names';

export function isUnknownField(message: string): boolean {
  return /^unknown field(?: \(|$)/.test(message);
}

function namesIn(shape: Shape): string[] {
  return shape.kind === 'data' ? [] : [...Object.keys(shape.fields), ...Object.keys(shape.flat ?? {})];
}

/**
 * Returns the message about a problem in a file. An unknown key may be a word that only files have, and the suggested key is
 * written as files write it: in snake_case, unless the key itself is in camelCase.
 */
export function inWordsOfFile(
  message: string,
  segments: readonly string[],
  shape: Shape,
  others: readonly string[] = [],
): string {
  const key = segments.at(-1);
  if (key === undefined || !isUnknownField(message)) return message;
  const above = segments.slice(0, -1).filter((segment) => !/^\d+$/.test(segment));
  const names = [...namesIn(shapeAt(shape, above)), ...(segments.length === 1 ? others : [])];
  const [, told] = /did you mean ([\w-]+)\?/.exec(message) ?? [];
  const near = nearestName(key, names) ?? told;
  if (near === undefined) return message;
  const isSnake = !/[A-Z]/.test(key);
  return `unknown field (did you mean ${isSnake ? snakeCase(near) : near}?)`;
}
