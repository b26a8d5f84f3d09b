import { Comparisons } from '../../../src/apps/report/word-diff';

/** 200 KB, in lines of words that no other text has. */
function text(seed: number): string {
  const word = (at: number) => ((seed * 7_919 + at) * 2_654_435_761).toString(36);
  return Array.from({ length: 1_500 }, (_, line) =>
    Array.from({ length: 12 }, (__, at) => word(line * 12 + at)).join(' '),
  ).join('\n');
}

test('a change is found by words, and by lines where too many words changed', () => {
  const comparisons = new Comparisons();
  expect(comparisons.between('a red fox\nruns', 'a grey fox\nruns')).toEqual([
    { kind: 'same', text: 'a ' },
    { kind: 'removed', text: 'red' },
    { kind: 'added', text: 'grey' },
    { kind: 'same', text: ' fox\nruns' },
  ]);
  const before = text(1);
  const words = before.split(' ');
  const third = words.map((word, at) => (at < words.length / 3 ? `${word}!` : word)).join(' ');
  const parts = comparisons.between(before, third);
  if (typeof parts === 'string') throw new Error(parts);
  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
  expect(before.endsWith(parts[2]!.text) && parts[2]!.text.length > 100_000).toBe(true);
});

test('the work for a page is limited, however many large texts have nothing in common', () => {
  const comparisons = new Comparisons();
  const found = Array.from({ length: 40 }, (_, version) => comparisons.between(text(version), text(version + 1)));
  expect(found[0]).toBe('too_different');
  expect(found.at(-1)).toBe('left_out');
  expect(comparisons.work).toBeLessThan(6_000_000);
  const left = comparisons.work;
  expect(comparisons.between('a', 'b')).toBe('left_out');
  expect(comparisons.work).toBe(left);
});
