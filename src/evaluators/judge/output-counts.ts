import { renderCount } from '../../lib/text/counted';
import type { Json } from '../../lib/json/json';

/** Characters of an output whose sentences are counted: some milliseconds. */
const LONGEST = 20_000;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the part of a judge's prompt that counts the words, sentences and characters of a text: models cannot count. Nothing for
 * an output that is no text, or is very long.
 */
export function countsOf(output: Json): string[] {
  if (typeof output !== 'string' || output.length > LONGEST) return [];
  const countReadable = (pieces: string[]): number => pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;
  const counts = [
    renderCount(countReadable(output.split(/\s+/)), 'word'),
    renderCount(countReadable([...sentences.segment(output)].map(({ segment }) => segment)), 'sentence'),
    renderCount(Array.from(output).length, 'character'),
  ];
  return [`Counted by a program: the output has ${counts.join(', ')}.`];
}
