import { readChecklist } from '../../src/evaluators/judge/checklist-reply';
import { readComparison } from '../../src/evaluators/judge/comparison-reply';
import { readJudgement } from '../../src/evaluators/judge/judge-reply';
import { LONGEST_READ } from '../../src/evaluators/replies/candidates';
import { expectWithin } from '../../testing/support/processor-time';

/** Of a processor, for a reader that stands for a tenth of a second on one that is not busy: the event loop is held for as long. */
const LONGEST_MS = 250;
const SIZE = 400_000;
const filled = (text: string): string => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

/** Each 400 KB of one thing, which readers of other forms take quadratic time for. */
const REPLIES = [
  '{"valid":',
  '{"a":/*',
  '{"valid": true, ',
  '{"valid": true}',
  '{"valid": "',
  "{'valid': '",
  '[',
  '[[1],',
  '[{"valid": true},',
  '{"a":{"b":[',
  '"',
  '\\',
  '{',
  '{a: ',
  'Verdict: ',
  'Verdict: pass\n',
  'Verdict: pass\n\nprose\n',
  'Score: 0.9\n```\n',
  '| Verdict | Score |\n|---|---|\n| pass | 0.9 |\n',
  'q1: yes\n',
  '1. yes\n',
  'Better: first\n',
  'code: 5eed5eed5eed5eed\nVerdict: pass\n',
  '<think>',
  '</think>',
  '<think></think>',
  '<verdict>',
  '<<<OUTPUT ',
  '```json\n{"valid": true}\n```\n',
  ' ',
  '\n',
  '\r',
  '- \n',
  '\u2028',
  '-',
  '*',
  '>',
  '|',
  '9',
  'no ',
  'Verdict: pass no no no no no no no no no\n',
  'a.',
  '\u200b',
  '&#x41;',
  '\\u0041',
  'ﬃ',
].map((text): [string, string] => [JSON.stringify(text), filled(text)]);

const asked = { code: '5eed5eed5eed5eed', judged: [filled('{"valid": true} Verdict: pass ')] };

describe('the readers of replies', () => {
  test.each(REPLIES)(
    'read 100 KB and 400 KB of %s within a quarter of a second of the processor',
    async (_what, reply) => {
      const shorter = reply.slice(0, LONGEST_READ - 20);
      for (const text of [shorter, reply].flatMap((each) => [each, `${each}\nVerdict: fail`, `Score:${each}x`])) {
        await expectWithin(3 * LONGEST_MS, () => {
          readJudgement(text, 0.8, 'judge', asked);
          readChecklist(text, ['q1', 'q2'], asked);
          readComparison(text, 'first', 'the reference', 'comparison', asked);
        });
      }
    },
  );

  // A reply without a code is compared with all that stands in a draft.
  test.each(REPLIES)(
    'search a draft of 400 KB at most of %s within a quarter of a second of the processor',
    async (_what, draft) => {
      for (const size of [50_000, 99_990, SIZE]) {
        const given = { ...asked, judged: [draft.slice(0, size)] };
        for (const read of [
          () => readJudgement('{"valid": false, "score": 0.31}', 0.8, 'judge', given),
          () => readChecklist('q1: no\nq2: yes', ['q1', 'q2'], given),
          () => readComparison('Better: second\nMargin: slight', 'first', 'the reference', 'comparison', given),
        ]) {
          await expectWithin<unknown>(LONGEST_MS, read);
        }
      }
    },
  );

  test('read no reply that is longer, and say so; thoughts are not counted', () => {
    const verdict = JSON.stringify({ valid: true, score: 0.9, code: asked.code });
    const told = (count: number): string => `${verdict}${' '.repeat(count - verdict.length)}`;
    const problem = `it has ${LONGEST_READ + 1} characters, and at most ${LONGEST_READ} are read`;
    const { code } = asked;
    expect(readJudgement(told(LONGEST_READ), 0.8, 'judge', { code })).toMatchObject({ outcome: 'pass' });
    expect(readJudgement(told(LONGEST_READ + 1), 0.8, 'judge', { code })).toEqual({ problem });
    expect(readChecklist(filled('q1: yes\n'), ['q1'], { code })).toEqual({
      problem: `it has ${SIZE} characters, and at most ${LONGEST_READ} are read`,
    });
    expect(readComparison(filled('Better: first\n'), 'first', 'the reference', 'comparison', { code })).toEqual({
      problem: `it has ${SIZE} characters, and at most ${LONGEST_READ} are read`,
    });
    const thought = `<think>${filled('no ')}</think>${verdict}`;
    expect(readJudgement(thought, 0.8, 'judge', { code })).toMatchObject({ outcome: 'pass' });
  });
});
