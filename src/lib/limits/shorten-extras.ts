import { omitUndefined } from '../base/defined';
import type { CallExtras } from '../contract/call-extras';
import type { JsonObject } from '../json/json';

const SHORT = 8 * 1024;

/** Leaves long extras out. A text says how long it was, because some providers demand that the field is there. */
export function shortenExtras({ by, ...parts }: CallExtras): CallExtras {
  const shorten = (fields: JsonObject | undefined): JsonObject | undefined => {
    if (!fields || JSON.stringify(fields).length <= SHORT) return fields;
    const texts = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts.map(([name, text]) => [name, `[left out: ${text.length} characters]`]));
  };
  return omitUndefined({ by, call: shorten(parts.call), turn: shorten(parts.turn) });
}
