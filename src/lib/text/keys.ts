import type { Json } from '../json/json';
import { changeTexts } from '../json/texts';

/** The text in the place of a secret. */
export const HIDDEN = '[redacted]';

const KEYS = /\b(?:sk|pk|rk)-[\w-]{6,}|\bBearer\s+[\w.~+/-]+=*/gi;

/** `postgres://user:password@host`. The name of a scheme is short: looking for a long one from each letter of a long text would take for ever. */
const CREDENTIALS = /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]+@/gi;

/** Hides what has the form of a key, and the name and password in addresses. */
export function withoutKeys(text: string): string {
  return text.replace(KEYS, HIDDEN).replace(CREDENTIALS, `$1${HIDDEN}@`);
}

/** Hides the same in all texts inside of a value. In its JSON, what looks like an address could end in another text. */
export function withoutKeysInside(value: Json): Json {
  return changeTexts(value, withoutKeys) as Json;
}
