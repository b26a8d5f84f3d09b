import type { OutputReading } from '../state/evaluation';
import type { Json } from '../../lib/json/json';
import { type LargeInteger, largeInteger, MANY_DIGITS } from '../../lib/json/large-integers';
import { lenientValueOf } from '../../lib/json/lenient-json';
import { pointerSegments } from '../../lib/json/json-pointer';

/** The maximum nesting depth: deeper values could not be serialised again, nor validated without exhausting the stack. */
const MAX_DEPTH = 500;
const LOOKS_PER_CHARACTER = 8;

interface JsonInText {
  /** UTF-16 offsets of the JSON text. */
  start: number;
  end: number;
  value: Json;
}

/** The likeliest first: the whole text, code fences, then objects and arrays in prose. Lazy: the first alone is cheap. */
export function* jsonInText(text: string): Generator<JsonInText> {
  const whole = parseSlice(text, 0, text.length);
  if (whole) {
    yield whole;
    return;
  }
  const found: JsonInText[] = [];
  for (const fence of fencedBlocks(text)) {
    const inside = parseSlice(text, fence.start, fence.end);
    if (!inside) continue;
    found.push(inside);
    yield inside;
  }
  let next = 0;
  for (const span of bracketSpans(text)) {
    while ((found[next]?.end ?? Infinity) <= span.start) next++;
    const isInsideFence = span.start >= (found[next]?.start ?? Infinity);
    if (!isInsideFence) yield span;
  }
}

/** The JSON that a text is, as a whole or in its only code fence; undefined for prose, whatever JSON it contains. */
export function soleJsonIn(text: string): Json | undefined {
  const whole = parseSlice(text, 0, text.length);
  if (whole) return whole.value;
  const [fence] = text.split('```').length === 3 ? fencedBlocks(text) : [];
  return fence && parseSlice(text, fence.start, fence.end)?.value;
}

/** JSON with trailing commas, comments or Python literals. Code fences come first, in their order; nothing else in prose is read so. */
export function lenientJsonIn(text: string): JsonInText[] {
  const places = text.includes('```') ? fencedBlocks(text) : [{ start: 0, end: text.length }];
  return places.flatMap(({ start, end }) => {
    const value = parseSlice(text, start, end) ? undefined : lenientValueOf(text.slice(start, end));
    return value === undefined ? [] : [{ start, end, value }];
  });
}

/** Finds a whole number of JSON in a text that changes when it is read. */
export function largeIntegerIn(text: string): LargeInteger | undefined {
  if (!MANY_DIGITS.test(text)) return undefined;
  for (const { start, end } of [...jsonInText(text), ...lenientJsonIn(text)]) {
    const found = largeInteger(text.slice(start, end));
    if (found) return found;
  }
  return undefined;
}

/** The value that an output contains according to a reading. A reading that does not fit leaves the output as it is. */
export function readOutput(output: Json, reading: OutputReading | undefined): Json {
  if (!reading) return output;
  let value = output;
  if (reading.text) {
    const found = typeof output === 'string' ? valueAt(output, reading.text) : undefined;
    if (found === undefined) return output;
    value = found;
  }
  const copies = new WeakSet<object>();
  for (const { path, value: replacement } of reading.coerced ?? []) {
    value = withValueAt(value, pointerSegments(path), replacement, copies);
  }
  return value;
}

function valueAt(output: string, { start, end, lenient }: NonNullable<OutputReading['text']>): Json | undefined {
  return lenient ? lenientValueOf(output.slice(start, end)) : parseSlice(output, start, end)?.value;
}

/** Copies each container once, however many values inside it are replaced; the original is never touched. */
function withValueAt(root: Json, segments: string[], replacement: Json, copies: WeakSet<object>): Json {
  if (segments.length === 0) return replacement;
  const newRoot = copyOnce(root, copies);
  let container = newRoot;
  for (const [depth, segment] of segments.entries()) {
    if (typeof container !== 'object' || container === null || !Object.hasOwn(container, segment)) return root;
    const isLast = depth === segments.length - 1;
    const child: Json = isLast ? replacement : copyOnce((container as Record<string, Json>)[segment] as Json, copies);
    // Assigning to `__proto__` would change the prototype; defining it makes an ordinary key, as JSON.parse does.
    Object.defineProperty(container, segment, { value: child, writable: true, enumerable: true, configurable: true });
    container = child;
  }
  return newRoot;
}

function copyOnce(value: Json, copies: WeakSet<object>): Json {
  if (typeof value !== 'object' || value === null || copies.has(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copies.add(copy);
  return copy;
}

function parseSlice(text: string, start: number, end: number): JsonInText | undefined {
  try {
    const value = JSON.parse(text.slice(start, end)) as Json;
    return isTooDeep(value) ? undefined : { start, end, value };
  } catch {
    return undefined;
  }
}

/** Whether a value nests too deeply. It builds no lists, because it looks at every output that is read. */
function isTooDeep(value: Json, levelsLeft = MAX_DEPTH): boolean {
  if (levelsLeft === 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const entry of value) if (isTooDeep(entry, levelsLeft - 1)) return true;
    return false;
  }
  for (const name in value) if (isTooDeep(value[name] as Json, levelsLeft - 1)) return true;
  return false;
}

function fencedBlocks(text: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let open = text.indexOf('```');
  while (open !== -1) {
    const close = text.indexOf('```', open + 3);
    if (close === -1) break;
    const label = /^[ \t]*(json[c5]?)?[ \t]*(?=[\r\n{["])/i.exec(text.slice(open + 3, Math.min(close, open + 40)));
    if (label) blocks.push({ start: open + 3 + label[0].length, end: close });
    open = text.indexOf('```', close + 3);
  }
  return blocks;
}

function* bracketSpans(text: string): Generator<JsonInText> {
  let looksLeft = text.length * LOOKS_PER_CHARACTER + 1_000;
  const opener = /[{[]/g;
  for (let match = opener.exec(text); match && looksLeft > 0; match = opener.exec(text)) {
    // Most braces of prose and code fail here, at the price of one look.
    if (!couldOpenJson(text, match.index)) continue;
    const end = closingOffset(text, match.index, looksLeft);
    looksLeft -= Math.abs(end) - match.index;
    if (end < 0) continue;
    const found = parseSlice(text, match.index, end);
    if (!found) continue;
    yield found;
    opener.lastIndex = end;
  }
}

function couldOpenJson(text: string, start: number): boolean {
  const next = /\S/.exec(text.slice(start + 1, start + 200))?.[0];
  if (next === undefined) return false;
  return text[start] === '{' ? next === '"' || next === '}' : /[\]{["\-\dtfn]/.test(next);
}

function closingOffset(text: string, start: number, looksLeft: number): number {
  const expected: string[] = [];
  let inString = false;
  const limit = Math.min(text.length, start + looksLeft);
  for (let offset = start; offset < limit; offset++) {
    const character = text[offset];
    if (inString) {
      if (character === '\\') offset++;
      else if (character === '"') inString = false;
      // A JSON string holds no raw line break: the quote belonged to the prose.
      else if (character === '\n') return -offset;
    } else if (character === '"') inString = true;
    else if (character === '{') expected.push('}');
    else if (character === '[') expected.push(']');
    else if (character === '}' || character === ']') {
      if (expected.pop() !== character) return -offset;
      if (expected.length === 0) return offset + 1;
    }
  }
  return -limit;
}
