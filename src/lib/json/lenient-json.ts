import type { Json } from './json';

/** Deeper than any verdict, and than outputs that are hardly ever written with mistakes. */
const MAX_DEPTH = 60;

/** The cost of a failed attempt: it costs more than reading does, and may be repeated within itself. */
const FAILURE_LOOKS = 8;

export interface LenientValue {
  value: Json;
  /** Offset after its last character. */
  end: number;
  /** It contains a key twice, with values that differ. */
  isTorn: boolean;
  hasComment: boolean;
}

/** Characters that may still be looked at, over all attempts to read a reply. */
export interface Looks {
  left: number;
}

class Unreadable extends Error {}
/** The only error object for all failures: recording a stack for each would take longer than reading. */
const UNREADABLE = new Unreadable();

const CLOSING: Record<string, string> = { '"': '"', "'": "'", '“': '”', '„': '“', '«': '»' };
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const WORDS: Record<string, Json> = { true: true, false: false, null: null, none: null, undefined: null };
const BLANK = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[^]{0,300}?\*\/)*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?=\s*(?:[,}\]#]|\/[/*]|$|\n))/iy;
/** A decimal comma: what follows a comma between two fields is a key, which does not begin with a digit. */
const DECIMAL_COMMA = /[+-]?\d+,\d+(?=\s*[,}])/y;
const KEY = /[\p{L}_$][\p{L}\d_$-]*/uy;
const BARE = /[\p{L}\d][\p{L}\d .%/+_-]{0,60}/uy;

/**
 * Reads the object or array that begins at an offset: JSON, and what models take for it, such as Python literals, other quotes,
 * raw line breaks in texts, comments, trailing commas, keys and words without quotes. Undefined when it is neither.
 * @param isExact values are what they say: no words without quotes, no decimal commas, no integers that change when they are read
 */
export function lenientValueAt(text: string, start: number, looks: Looks, isExact = false): LenientValue | undefined {
  const reader = new Reader(text, start, isExact);
  try {
    const value = reader.container(0);
    looks.left -= reader.offset - start;
    return { value, end: reader.offset, isTorn: reader.isTorn, hasComment: reader.hasComment };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    // What was in vain is looked at again from its next bracket on.
    looks.left -= FAILURE_LOOKS * (reader.offset - start + 1);
    return undefined;
  }
}

class Reader {
  isTorn = false;
  hasComment = false;

  constructor(
    private readonly text: string,
    public offset: number,
    private readonly isExact: boolean,
  ) {}

  container(depth: number): Json {
    if (depth > MAX_DEPTH) throw UNREADABLE;
    const isObject = this.text[this.offset] === '{';
    this.offset++;
    return isObject ? this.object(depth) : this.array(depth);
  }

  private object(depth: number): Json {
    const entries = new Map<string, Json>();
    for (;;) {
      this.skipBlank();
      if (this.take('}')) return Object.fromEntries(entries);
      const key = this.readQuoted() ?? this.match(KEY);
      this.skipBlank();
      if (key === undefined || !(this.take(':') || (!this.isExact && this.take('=')))) throw UNREADABLE;
      const value = this.value(depth, true);
      const before = entries.get(key);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) this.isTorn = true;
      entries.set(key, value);
      this.readSeparator('}');
    }
  }

  private array(depth: number): Json {
    const values: Json[] = [];
    for (;;) {
      this.skipBlank();
      if (this.take(']')) return values;
      values.push(this.value(depth, false));
      this.readSeparator(']');
    }
  }

  private value(depth: number, isField: boolean): Json {
    this.skipBlank();
    const next = this.text[this.offset];
    if (next === '{' || next === '[') return this.container(depth + 1);
    const text = this.readQuoted();
    if (text !== undefined) return text;
    const comma = isField && !this.isExact ? this.match(DECIMAL_COMMA) : undefined;
    if (comma !== undefined) return comma;
    const number = this.match(NUMBER);
    if (number !== undefined) return this.numberOf(number);
    const bare = this.match(BARE)?.trim();
    if (bare === undefined) throw UNREADABLE;
    const word = bare.toLowerCase();
    if (Object.hasOwn(WORDS, word)) return WORDS[word]!;
    if (this.isExact) throw UNREADABLE;
    return bare;
  }

  private numberOf(written: string): number {
    const value = Number(written);
    const isChanged = !Number.isFinite(value) || (/^[+-]?\d+$/.test(written) && !Number.isSafeInteger(value));
    if (this.isExact && isChanged) throw UNREADABLE;
    return value;
  }

  private readQuoted(): string | undefined {
    const opening = this.text[this.offset] ?? '';
    const closing = Object.hasOwn(CLOSING, opening) ? CLOSING[opening]! : undefined;
    if (closing === undefined) return undefined;
    let from = ++this.offset;
    let said = '';
    for (;;) {
      const character = this.text[this.offset];
      if (character === undefined) throw UNREADABLE;
      if (character === closing) break;
      if (character !== '\\') {
        this.offset++;
        continue;
      }
      said += this.text.slice(from, this.offset) + this.readEscape();
      from = this.offset;
    }
    said += this.text.slice(from, this.offset);
    this.offset++;
    return said;
  }

  private readEscape(): string {
    const letter = this.text[this.offset + 1] ?? '';
    this.offset += 2;
    if (letter !== 'u') return ESCAPES[letter] ?? letter;
    const digits = /^[\da-f]{4}/i.exec(this.text.slice(this.offset, this.offset + 4))?.[0];
    if (digits === undefined) throw UNREADABLE;
    this.offset += 4;
    return String.fromCodePoint(Number.parseInt(digits, 16));
  }

  private readSeparator(closing: string): void {
    this.skipBlank();
    if (!this.take(',') && this.text[this.offset] !== closing) throw UNREADABLE;
  }

  private skipBlank(): void {
    if (this.match(BLANK)?.includes('/')) this.hasComment = true;
  }

  private take(character: string): boolean {
    if (this.text[this.offset] !== character) return false;
    this.offset++;
    return true;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    this.offset += found?.length ?? 0;
    return found;
  }
}

/** Text that may follow a value that is all of a text: comments, and the end of a statement. */
const BEHIND = /(?:[\s;]+|\/\/[^\n]*|#[^\n]*|\/\*[^]{0,300}?\*\/)*/y;

/** Reads without going back: that a line of number signs is one comment, or many, would be tried in all ways. */
function endsBehind(text: string, offset: number): boolean {
  BEHIND.lastIndex = offset;
  return offset + (BEHIND.exec(text)?.[0].length ?? 0) === text.length;
}

/**
 * Reads the object or list that all of a text is, although it is not JSON: it has a trailing comma, comments, Python literals,
 * other quotes or keys without any. Undefined if a value would have to be guessed, as for a key that it has twice.
 */
export function lenientValueOf(text: string): Json | undefined {
  const start = /^\s*(?=[[{])/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const read = lenientValueAt(text, start, { left: text.length }, true);
  return read && !read.isTorn && endsBehind(text, read.end) ? read.value : undefined;
}
