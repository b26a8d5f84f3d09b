import { criteriaEvaluator } from '../../../src/evaluators/judge/criteria';
import type { CriteriaEvaluator } from '../../../src/loop/contract/evaluators';
import type { Judgement } from '../../../src/loop/state/evaluation';
import { judgeInput, withScript } from '../scripted-judge';

type Said = 'yes' | 'no' | 'unclear' | null;

const QUESTIONS = ['Is it short?', 'Is it true?', 'Is it plain?', 'Is it whole?'];

function listOf(questions: readonly string[], threshold?: number): CriteriaEvaluator {
  const criterion = { name: 'note', evaluatorConfig: { questions: [...questions] } };
  return { type: 'criteria', criteria: [threshold === undefined ? criterion : { ...criterion, threshold }] };
}

/** Answers by the numbers of their questions; null stands for a question that is left out. */
function answers(said: readonly Said[], from = 1): object {
  const given = said.flatMap((answer, index) =>
    answer === null ? [] : [{ question: `q${from + index}`, finding: `finding ${from + index}`, answer }],
  );
  return { answers: given, confidence: 1 };
}

const judge = (said: readonly Said[], threshold?: number): Promise<Judgement> =>
  withScript([answers(said)], (world) =>
    criteriaEvaluator.evaluate(
      listOf(QUESTIONS.slice(0, said.length), threshold),
      judgeInput({ qualityThreshold: 0 }),
      world,
    ),
  );

describe('a checklist that leaves questions out', () => {
  const input = judgeInput({ output: 'a short note', task: 'Write a note.', inputs: { facts: 'The pump failed.' } });

  /** Asks once, and once more what was left out. */
  const askTwice = (first: object, second: string | object, threshold?: number) =>
    withScript([first, second], async (world) => {
      const config = listOf(QUESTIONS, threshold);
      const whole = await criteriaEvaluator.evaluate(config, input, world);
      const repaired = await criteriaEvaluator.repair!(config, input, whole.unreadable!, world);
      return { whole, repaired, said: world.said(1) };
    });

  test('is no pass, however good its answers are; the others are asked alone, about the output, and join the first', async () => {
    const { whole, repaired, said } = await askTwice(answers(['yes', 'yes', null, null]), answers(['yes', 'yes'], 3));
    expect(whole).toMatchObject({ outcome: 'inconclusive', score: null, coverage: 0.5 });
    expect(whole.unreadable).toMatchObject({ problem: 'it leaves out 2 of 4 questions: q3, q4' });
    for (const shown of ['q3. Is it plain?', 'q4. Is it whole?', 'a short note', 'Write a note.', 'The pump failed.'])
      expect(said).toContain(shown);
    expect(said).not.toMatch(/Is it short\?|Is it true\?/);
    expect(repaired).toMatchObject({ outcome: 'pass', score: 1, coverage: 1, tokenUsage: { modelCalls: 1 } });
    expect(repaired.unreadable).toBeUndefined();
  });

  test('keeps the first answers: a no of the first reply is an issue of the judgement', async () => {
    const { repaired } = await askTwice(answers(['yes', 'no', null, null]), answers(['yes', 'no'], 3));
    expect(repaired).toMatchObject({ outcome: 'fail', score: 0.5, coverage: 1 });
    expect(repaired.issues.map(({ message }) => message)).toEqual(['finding 2', 'finding 4']);
  });

  test('is inconclusive if the second reply leaves a question out as well, and is not asked a third time', async () => {
    const { repaired } = await askTwice(answers(['yes', 'yes', null, null]), answers(['yes'], 3));
    expect(repaired).toMatchObject({ outcome: 'inconclusive', score: null, coverage: 0.75 });
    expect(repaired.reason).toContain('1 answer is missing of 4 questions about note');
    expect(repaired.unreadable).toBeUndefined();
  });

  test('fails where no answer could let it pass; the others are asked for all the same, and need not come', async () => {
    const first = answers(['no', 'no', null, null]);
    const { whole, repaired } = await askTwice(first, 'What a lovely day!');
    expect(whole).toMatchObject({ outcome: 'fail', score: 0, coverage: 0.5 });
    expect(whole.unreadable?.answers).toMatchObject({ q1: { yes: false }, q2: { yes: false } });
    expect(repaired).toMatchObject({ outcome: 'fail', score: 0, coverage: 0.5 });
  });

  test('a null is no answer, and a favourable list without its code is not kept', async () => {
    const list = { answers: { q1: 'yes', q2: null, q3: 'yes', q4: 'yes' } };
    const whole = await withScript([list], (world) => criteriaEvaluator.evaluate(listOf(QUESTIONS), input, world));
    expect(whole).toMatchObject({ coverage: 0.75, unreadable: { problem: expect.stringMatching(/: q2$/) as string } });
    const reply = JSON.stringify(answers(['yes', 'yes', null, null]));
    const uncoded = await withScript([{ reply, asWritten: true }], (world) =>
      criteriaEvaluator.evaluate(listOf(QUESTIONS), input, world),
    );
    expect(uncoded).toMatchObject({ outcome: 'inconclusive' });
    expect(uncoded.unreadable?.answers).toBeUndefined();
  });
});

describe('an unclear answer is an answer, and neither a yes nor a no', () => {
  test.each<[Said[], string, number | null]>([
    [['yes', 'yes', 'yes', 'unclear'], 'pass', 1],
    [['yes', 'yes', 'unclear'], 'pass', 1],
    [['yes', 'no', 'yes', 'unclear'], 'fail', 2 / 3],
    [['yes', 'yes', 'unclear', 'unclear'], 'inconclusive', null],
    [['yes', 'unclear'], 'inconclusive', null],
    [['unclear', 'unclear', 'unclear'], 'inconclusive', null],
    [['no', 'unclear', 'unclear'], 'fail', 0],
    [['no', 'no', 'yes', 'unclear'], 'fail', 1 / 3],
  ])('%j: %s', async (said, outcome, score) => {
    const judgement = await judge(said);
    expect(judgement).toMatchObject({ outcome, score, coverage: 1 });
    expect(judgement.unreadable).toBeUndefined();
  });

  test('a pass is the less sure of itself the more is unclear', async () => {
    const [sure, unsure] = [await judge(['yes', 'yes', 'yes']), await judge(['yes', 'yes', 'unclear'])];
    expect(sure.confidence).toBe(1);
    expect(unsure.confidence).toBeCloseTo(2 / 3);
  });
});

test('over all lists of three answers and three thresholds, a pass is whole and holds whatever is unclear, within bounds', async () => {
  const words: Said[] = ['yes', 'no', 'unclear', null];
  const lists = words.flatMap((one) => words.flatMap((two) => words.map((three): Said[] => [one, two, three])));
  const passed: string[] = [];
  for (const list of lists.filter((each) => each.some((said) => said !== null))) {
    const count = (word: Said): number => list.filter((said) => said === word).length;
    for (const threshold of [0.3, 0.7, 1]) {
      const { outcome, score, coverage } = await judge(list, threshold);
      expect(coverage).toBeCloseTo(1 - count(null) / 3);
      if (outcome !== 'pass') continue;
      passed.push(list.join());
      expect([count(null), count('unclear') <= 1]).toEqual([0, true]);
      expect(score).toBeGreaterThanOrEqual(threshold);
      if (score === 1) expect(count('no')).toBe(0);
    }
  }
  expect(passed).toContain('yes,yes,yes');
});
