/** Any value that survives JSON: what travels between client, workflow and activities. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text that a person or a model would see: a string as it is, anything else as indented JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
