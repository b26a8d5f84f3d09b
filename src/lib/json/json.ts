/** Any value that survives JSON: what travels between client, workflow and activities. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Returns whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function pick(object: JsonObject, keys: readonly string[] | 'all'): JsonObject {
  if (keys === 'all') return object;
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(object, key) ? [[key, object[key]!]] : [])));
}

/** The maximum nesting depth of JSON: not every tool involved can handle more. */
export const DEEPEST = 500;

/** Returns whether a value is JSON that is not nested too deeply. `undefined` in an object counts as a key that is not there. */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const plain = Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;
  return plain && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1));
}

/** Renders a value for users and models: a string as it is, anything else as indented JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
