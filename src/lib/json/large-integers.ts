import type { Json } from './json';
import { jsonPointer } from './json-pointer';

/** A whole number in a JSON text that is another one once it is read: JavaScript keeps whole numbers up to 2^53. */
export interface LargeInteger {
  source: string;
  /** JSON Pointer within the text. */
  path: string;
}

/** Tokens of JSON, and of what is read as JSON: strings, numbers, brackets, commas and colons; and comments, which say nothing. */
const TOKENS =
  /"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*|-?\d[\d.eE+-]*|[{}[\],:]/g;

/** The digits of the smallest whole number that loses some. */
export const MANY_DIGITS = /\d{16}/;

/** Returns whether digits are lost when a whole number is read: none are if it stays the same, or is written again as it was. */
export function losesDigits(source: string): boolean {
  if (!/^[-+]?\d{16,}$/.test(source)) return false;
  const number = Number(source);
  return String(number) !== source && (!Number.isFinite(number) || BigInt(number) !== BigInt(source));
}

export function largeIntegerText(source: string): string {
  return `${source} would lose digits as a number; put it in quotes`;
}

function keyOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    // Of JSON that was read although it is not quite that.
    return text.slice(1, -1);
  }
}

export function largeInteger(json: string): LargeInteger | undefined {
  if (!MANY_DIGITS.test(json)) return undefined;
  const place: (string | number)[] = [];
  let text = '""';
  for (const [token] of json.matchAll(TOKENS)) {
    const key = place.at(-1);
    if (/^["']/.test(token)) text = token;
    else if (token === ':') place[place.length - 1] = keyOf(text);
    else if (token === ',' && typeof key === 'number') place[place.length - 1] = key + 1;
    else if (token === '[') place.push(0);
    else if (token === '{') place.push('');
    else if (token === ']' || token === '}') place.pop();
    else if (losesDigits(token)) return { source: token, path: jsonPointer(place) };
  }
  return undefined;
}

/** The beginning of texts that stand for whole numbers which would lose digits. */
const MARK = '\u0001integer ';
const MARKED = /"\\u0001integer (-?\d+)"/g;

/** Reads JSON so that `writeExactly` writes it with every digit. Throws SyntaxError. */
export function readExactly(json: string): Json {
  if (!largeInteger(json)) return JSON.parse(json) as Json;
  return JSON.parse(
    json.replace(TOKENS, (token) => (losesDigits(token) ? JSON.stringify(MARK + token) : token)),
  ) as Json;
}

export function writeExactly(value: Json): string {
  return JSON.stringify(value).replace(MARKED, '$1');
}
