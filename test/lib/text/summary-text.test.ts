import { firstCharacters, cutText, summaryText } from '../../../src/lib/text/summary-text';

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

test.each([
  ['abcd', 4, 'abcd', 'abcd'],
  ['abcde', 4, 'abcd…', 'abc…'],
  ['abc😀', 4, 'abc…', 'abc…'],
])('%s is shown by its first %d characters, or in as many', (text, most, beginning, cut) => {
  expect(firstCharacters(text, most)).toBe(beginning);
  expect(cutText(text, most)).toBe(cut);
});
