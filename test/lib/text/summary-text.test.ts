import fc from 'fast-check';
import { firstCharacters, cutText, scoresApart, scoreText, summaryText } from '../../../src/lib/text/summary-text';

describe('summaries', () => {
  test('a line that the server takes stays as it is', () => {
    expect(summaryText('#2 evaluate · llm')).toBe('#2 evaluate · llm');
    expect(summaryText('')).toBe('');
  });

  test.each([
    ['a long name', 'n'.repeat(5_000)],
    ['letters of several bytes', '語'.repeat(200)],
    ['pairs', '😀'.repeat(200)],
    ['what JSON writes longer', '\u0001"\n'.repeat(200)],
  ])('%s is cut between characters, by its bytes as JSON', (_name, text) => {
    const short = summaryText(`#1 evaluate · ${text}`);
    const bytes = Buffer.byteLength(JSON.stringify(short));
    expect(bytes).toBeLessThanOrEqual(240);
    expect(bytes).toBeGreaterThan(220);
    expect(short).toMatch(/^#1 evaluate · [^]*…$/);
    expect(text.startsWith(short.slice('#1 evaluate · '.length, -1))).toBe(true);
  });
});

describe('a score beside its threshold', () => {
  test.each([
    [0.7966, 0.8, '0.797', '0.8'],
    [0.79778, 0.8, '0.798', '0.8'],
    [0.7999999, 0.8, '0.799999900', '0.8'],
    [0.8, 0.8, '0.80', '0.80'],
    [0.5, 0.8, '0.50', '0.80'],
    [0.8, 0.7999, '0.8000', '0.7999'],
  ])('%d and %d', (score, needed, shown, shownNeeded) => {
    expect(scoresApart(score, needed)).toEqual([shown, shownNeeded]);
    expect(scoreText(score, needed)).toBe(shown);
  });

  test('never look equal where the score is below, down to a billionth', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 8 }),
        (random, percent, power) => {
          const needed = percent / 100;
          const score = needed - (random + 1) * 10 ** -power;
          fc.pre(score >= 0);
          const [one, other] = scoresApart(score, needed);
          expect(one).not.toBe(other);
        },
      ),
    );
  });
});

test.each([
  ['abcd', 4, 'abcd', 'abcd'],
  ['abcde', 4, 'abcd…', 'abc…'],
  ['abc😀', 4, 'abc…', 'abc…'],
])('%s is shown by its first %d characters, or in as many', (text, most, beginning, cut) => {
  expect(firstCharacters(text, most)).toBe(beginning);
  expect(cutText(text, most)).toBe(cut);
});
