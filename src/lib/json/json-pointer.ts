import { isJsonObject, type Json, type JsonObject } from './json';

/** Returns the JSON Pointer (RFC 6901) of a path; `` is the whole document. */
export function jsonPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pointerSegments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function valueAt(value: Json, pointer: string): Json | undefined {
  return pointerSegments(pointer).reduce<Json | undefined>((at, key) => {
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    return isThere ? (at as JsonObject)[key] : undefined;
  }, value);
}

/** Returns a value with another one at a pointer; undefined: without the one that is there. A pointer to nothing changes nothing. */
export function replaceAt(value: Json, pointer: string, replacement: Json | undefined): Json | undefined {
  return replaceBelow(value, pointerSegments(pointer), replacement);
}

function replaceBelow(value: Json, [key, ...rest]: readonly string[], replacement: Json | undefined): Json | undefined {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? replaceBelow(item, rest, replacement)! : item));
  }
  if (!isJsonObject(value)) return value;
  // Unlike assignment, this makes an ordinary key of `__proto__`.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const changed = name === key ? replaceBelow(item, rest, replacement) : item;
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

/** Renders a JSON Pointer for users: `/items/0/name` is `items[0].name`. Other text stays as it is. */
export function readablePath(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer;
  return pointerSegments(pointer)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '');
}
