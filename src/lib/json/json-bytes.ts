/** Returns the bytes of a UTF-16 unit in UTF-8. Each half of a surrogate pair is counted as 2 of the pair's 4 bytes. */
export function bytesOfUnit(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}

/** Counts the bytes of a text in UTF-8. Linear, and without Node's `Buffer`: workflow code calls it. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) bytes += bytesOfUnit(text.charCodeAt(index));
  return bytes;
}

export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? 'null');
}

/** Counts the bytes of a value as JSON up to a limit; texts count without their escapes. */
export function bytesUpTo(value: unknown, limit: number): number {
  if (typeof value === 'string') return Math.min(limit, value.length + 2);
  if (typeof value !== 'object' || value === null) return Math.min(limit, 8);
  let bytes = 2;
  for (const [key, inner] of Object.entries(value)) {
    if (bytes >= limit) return limit;
    if (inner === undefined && !Array.isArray(value)) continue;
    bytes += (Array.isArray(value) ? 1 : key.length + 4) + bytesUpTo(inner, limit - bytes);
  }
  return Math.min(limit, bytes);
}

/**
 * Reduces the result of a run to the bytes that the server takes: a larger result would be refused each time it is sent. Each
 * reduction is made only if those before it were not enough.
 * @param most bytes as JSON; Infinity if large payloads are stored outside
 */
export function reduceToFit<T>(value: T, most: number, reductions: readonly ((value: T) => T)[]): T {
  let result = value;
  for (const reduce of reductions) {
    if (most === Infinity || jsonBytes(result) <= most) return result;
    result = reduce(result);
  }
  return result;
}

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

/** Returns the first entries of a list that fit into a number of bytes as JSON, at least one; and the next, if there are more. */
export function pageOf<T>(list: readonly T[], most: number): { page: T[]; next?: T } {
  let bytes = 0;
  for (const [index, entry] of list.entries()) {
    bytes += jsonBytes(entry);
    if (index > 0 && bytes > most) return { page: list.slice(0, index), next: entry };
  }
  return { page: [...list] };
}
