import { isJson, type Json } from './json';

/** Returns the JSON that a text is as a whole; the text itself if it is none, or is nested too deeply to be written again. */
export function jsonOrText(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : text;
  } catch {
    return text;
  }
}
