import { countsOf } from '../../../src/evaluators/judge/judge-prompt';
import { expectWithin } from '../../../testing/support/processor-time';

test.each<[Parameters<typeof countsOf>[0], string | undefined]>([
  ['old pond', '2 words, 1 sentence, 8 characters'],
  ['It failed — at 09:12. It runs again.', '7 words, 2 sentences, 36 characters'],
  ['It’s done 👍', '2 words, 1 sentence, 11 characters'],
  ['', '0 words, 0 sentences, 0 characters'],
  [{ text: 'old pond' }, undefined],
  ['- '.repeat(10_001), undefined],
])('%j is shown to a judge with %s', (output, counts) => {
  expect(countsOf(output)).toEqual(counts === undefined ? [] : [`Counted by a program: the output has ${counts}.`]);
});

test('a text without words costs no time', async () => {
  await expectWithin(1_000, () => {
    expect(countsOf('-'.repeat(20_000))[0]).toContain('0 words, 0 sentences');
  });
});
