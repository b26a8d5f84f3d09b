import type { Json } from '../json/json';
import { isJsonObject } from '../json/json';

/** Length of the pieces of text that are compared, in UTF-16 units. */
const GRAM = 3;

/** Above this many characters, `roughSimilarity` compares words. */
const BY_CHARACTERS = 20_000;

/** The Sørensen–Dice coefficient of multisets (1945, 1948), 0..1, in any order; linear, unlike an edit distance. */
function diceCoefficient<Piece>(one: Iterable<Piece>, other: Iterable<Piece>): number {
  const counts = new Map<Piece, number>();
  let total = 0;
  for (const piece of one) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
    total += 1;
  }
  let common = 0;
  for (const piece of other) {
    total += 1;
    const count = counts.get(piece) ?? 0;
    if (count === 0) continue;
    common += 1;
    counts.set(piece, count - 1);
  }
  return total === 0 ? 1 : (2 * common) / total;
}

/**
 * Returns the similarity of two texts, from 0 (no three characters in a row in common) to 1 (the same, spacing aside), by
 * character trigrams (q-grams, Ukkonen 1992).
 */
export function textSimilarity(first: string, second: string): number {
  const [one, other] = [normalizeText(first), normalizeText(second)];
  return one === other ? 1 : diceCoefficient(grams(one), grams(other));
}

/**
 * Returns the similarity of two texts with case aside too, and by words in long texts: quick enough for workflow code, which
 * is stopped after two seconds.
 */
export function roughSimilarity(first: string, second: string): number {
  if (first === second) return 1;
  const [one, other] = [foldText(first), foldText(second)];
  if (one === other) return 1;
  const byWords = Math.max(one.length, other.length) > BY_CHARACTERS;
  return diceCoefficient(pieces(one, byWords), pieces(other, byWords));
}

function pieces(text: string, byWords: boolean): string[] {
  if (byWords) return text.split(/\s+/).filter((word) => word !== '');
  if (text.length < GRAM) return text === '' ? [] : [text];
  return Array.from({ length: text.length - GRAM + 1 }, (_, start) => text.slice(start, start + GRAM));
}

/** Renders a value as a text that is the same for equal values: keys are sorted. */
export function comparableText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(sortKeys(value), null, 1);
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key]!)]));
}

export function foldText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Trigrams as numbers, with spaces around the text so that its ends count and the shortest text has some. */
function* grams(text: string): Generator<number> {
  const padded = `  ${text} `;
  for (let index = 0; index + GRAM <= padded.length; index++) {
    const [one, two, three] = [padded.charCodeAt(index), padded.charCodeAt(index + 1), padded.charCodeAt(index + 2)];
    // Three units of 16 bits fit into the 53 that a number keeps exactly.
    yield (one * 0x10000 + two) * 0x10000 + three;
  }
}
