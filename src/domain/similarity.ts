import type { Json } from './json';
import { isJsonObject } from './json';

/** Length of the pieces of text that are compared, in UTF-16 units. */
const GRAM = 3;

/**
 * How alike two texts are, from 0 (no three characters in a row in common) to 1 (the same, spacing aside).
 *
 * The Sørensen–Dice coefficient (Dice 1945, Sørensen 1948) of the multisets of character trigrams (q-grams, Ukkonen 1992):
 * twice the number of trigrams in common by the number of all. Linear in both lengths, unlike an edit distance.
 */
export function textSimilarity(first: string, second: string): number {
  const [one, other] = [normalised(first), normalised(second)];
  if (one === other) return 1;
  const counts = new Map<number, number>();
  let total = 0;
  for (const gram of grams(one)) {
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
    total += 1;
  }
  let common = 0;
  for (const gram of grams(other)) {
    total += 1;
    const count = counts.get(gram) ?? 0;
    if (count === 0) continue;
    common += 1;
    counts.set(gram, count - 1);
  }
  return (2 * common) / total;
}

/** A text that is the same for values that mean the same: keys are sorted. */
export function comparableText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(sorted(value), null, 1);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key]!)]));
}

function normalised(text: string): string {
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
