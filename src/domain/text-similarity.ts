/** Above this many characters texts are compared by words, so that the comparison stays quick. */
const BY_CHARACTERS = 20_000;

/** Letters to a piece: long enough to see their order, short enough to forgive a typo. */
const LETTERS = 3;

function pieces(text: string, byWords: boolean): string[] {
  if (byWords) return text.split(/\s+/).filter((word) => word !== '');
  if (text.length < LETTERS) return text === '' ? [] : [text];
  return Array.from({ length: text.length - LETTERS + 1 }, (_, start) => text.slice(start, start + LETTERS));
}

/**
 * How alike two texts are, 0..1; 1 for equal ones. Case and spacing do not count. Linear in the length of the texts, because
 * workflow code calls it.
 *
 * The Sørensen–Dice coefficient (Dice 1945; Sørensen 1948) over the multisets of three-letter pieces, or of words in long texts.
 */
export function textSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const [first, second] = [one, other].map((text) => text.toLowerCase().replace(/\s+/g, ' ').trim()) as [
    string,
    string,
  ];
  if (first === second) return 1;
  const byWords = Math.max(first.length, second.length) > BY_CHARACTERS;
  const counts = new Map<string, number>();
  const ours = pieces(first, byWords);
  const theirs = pieces(second, byWords);
  for (const piece of ours) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  let shared = 0;
  for (const piece of theirs) {
    const left = counts.get(piece) ?? 0;
    if (left === 0) continue;
    counts.set(piece, left - 1);
    shared += 1;
  }
  return ours.length + theirs.length === 0 ? 1 : (2 * shared) / (ours.length + theirs.length);
}
