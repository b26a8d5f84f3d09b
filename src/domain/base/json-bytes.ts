/** Bytes of a text in UTF-8. Linear, and without Node's `Buffer`: workflow code calls it. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair is counted as 2 of the pair's 4 bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? 'null');
}

/** Bytes of a value as JSON, counted no further than a limit; texts count without their escapes. */
export function bytesUpTo(value: unknown, limit: number): number {
  if (typeof value === 'string') return Math.min(limit, value.length + 2);
  if (typeof value !== 'object' || value === null) return Math.min(limit, 8);
  let bytes = 2;
  for (const [key, inner] of Object.entries(value)) {
    if (bytes >= limit) return limit;
    bytes += (Array.isArray(value) ? 1 : key.length + 4) + bytesUpTo(inner, limit - bytes);
  }
  return Math.min(limit, bytes);
}
