import type { Json, JsonObject } from './json';

/** Returns the JSON Pointer (RFC 6901) of a path; `` is the whole document. */
export function jsonPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Splits a JSON Pointer into the keys of its path. */
export function pointerSegments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  return pointerSegments(pointer).reduce<Json | undefined>((at, key) => {
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    return isThere ? (at as JsonObject)[key] : undefined;
  }, value);
}

/**
 * Renders a JSON Pointer for users: `/items/0/name` is `items[0].name`; the whole is ``. A text that is not a pointer stays as
 * it is.
 */
export function readablePath(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer;
  return pointerSegments(pointer)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '');
}
