import { isJson, type Json } from '../../lib/json/json';

/** Converts a value of another library to the JSON that Temporal would make of it; undefined for what JSON cannot say. */
export function asJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    const read: unknown = text === undefined ? undefined : JSON.parse(text);
    return isJson(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
