import { jsonBytes } from './json-bytes';

/**
 * What a run hands back, within the bytes that the server takes of it: a larger result would be refused for ever. Each reduction
 * is made only where those before it were not enough.
 *
 * @param most bytes as JSON; Infinity where large payloads are stored outside
 */
export function fitted<T>(value: T, most: number, reductions: readonly ((value: T) => T)[]): T {
  let result = value;
  for (const reduce of reductions) {
    if (most === Infinity || jsonBytes(result) <= most) return result;
    result = reduce(result);
  }
  return result;
}

/** The last entries of a list that fit into a number of bytes as JSON. */
export function latestWithin<T>(list: readonly T[], most: number): T[] {
  const kept: T[] = [];
  let bytes = 2;
  for (const entry of list.toReversed()) {
    bytes += jsonBytes(entry) + 1;
    if (bytes > most) break;
    kept.push(entry);
  }
  return kept.toReversed();
}

/** The first entries of a list that fit into a number of bytes as JSON, at least one; and the next, where there are more. */
export function pageOf<T>(list: readonly T[], most: number): { page: T[]; next?: T } {
  let bytes = 0;
  for (const [index, entry] of list.entries()) {
    bytes += jsonBytes(entry);
    if (index > 0 && bytes > most) return { page: list.slice(0, index), next: entry };
  }
  return { page: [...list] };
}
