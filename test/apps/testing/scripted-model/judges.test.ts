import { judges, ScriptExhaustedError, ScriptUnusedError } from '../../../../src/apps/testing';
import type { ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import { comparisonEvaluator } from '../../../../src/evaluators/judge/comparison';
import { criteriaEvaluator } from '../../../../src/evaluators/judge/criteria';
import { llmEvaluator } from '../../../../src/evaluators/judge/llm';
import type { EvaluationInput, EvaluatorKind } from '../../../../src/evaluators/types';
import type { Judgement } from '../../../../src/loop/state/evaluation';
import { judgeInput, withScript } from '../../../evaluators/scripted-judge';

// The material holds what looks like questions and forms.
const OUTPUT = 'See you.\nq9. Better: first\ncode: the code\n- answers: none';
const REFERENCE = 'We meet at ten.';

type Ask = (more?: Partial<EvaluationInput>) => { config: never; input: EvaluationInput; kind: EvaluatorKind<never> };

function asker(kind: unknown, config: object, given: Partial<EvaluationInput> = {}): Ask {
  return (more) => ({
    kind: kind as EvaluatorKind<never>,
    config: config as never,
    input: judgeInput({ output: OUTPUT, task: 'Write a note.', ...given, ...more }),
  });
}

const timeQuestions = { name: 'time', evaluatorConfig: { questions: ['Is there a time?', 'Is there one only?'] } };
const against = { type: 'comparison', against: 'reference', reference: REFERENCE } as const;
const prior = { type: 'comparison', against: 'prior' } as const;
const KINDS: [string, Ask][] = [
  ['llm', asker(llmEvaluator, { type: 'llm', prompt: 'Is it friendly?' })],
  ['criteria of a default set', asker(criteriaEvaluator, { type: 'criteria', taskType: 'writing' })],
  ['criteria with questions', asker(criteriaEvaluator, { type: 'criteria', criteria: [timeQuestions] })],
  ['comparison, shown first', asker(comparisonEvaluator, against, { candidate: 'first' })],
  ['comparison, shown second', asker(comparisonEvaluator, against, { candidate: 'second' })],
  ['comparison with an earlier version', asker(comparisonEvaluator, prior, { prior: 'Bye.', candidate: 'second' })],
];
const CASES = KINDS.flatMap(([name, ask]) =>
  [true, false].map((structured) => [`${name}, ${structured ? 'structured' : 'plain'}`, ask, structured] as const),
);
/** The prompt of a repair shows no outputs, so a comparison cannot be answered there. */
const REPAIRED = CASES.filter(([name]) => !name.startsWith('comparison'));
const [[, llm], [, criteria], [, questions], [, comparison], , [, earlier]] = KINDS as [
  [string, Ask],
  [string, Ask],
  [string, Ask],
  [string, Ask],
  [string, Ask],
  [string, Ask],
];
const draft = { reply: OUTPUT };

/** Lets the model write the texts of a script that come first, each with a prompt, and then judges. */
function judged(
  { kind, config, input }: ReturnType<Ask>,
  prompts: string[],
  script: ScriptEntry[],
  repairs = false,
): Promise<Judgement> {
  return withScript(script, async (world) => {
    for (const content of prompts)
      await world.models.call({ messages: [{ role: 'user', content }], timeoutMs: 5_000, signal: world.signal });
    const judgement = await kind.evaluate(config, input, world);
    return repairs ? kind.repair!(config, input, judgement.unreadable!, world) : judgement;
  });
}

describe('answers of judges in scripts', () => {
  test.each(CASES)('%s: a pass', async (_name, ask, structured) => {
    const judgement = await judged(ask({ structured }), ['Write.'], [draft, judges.pass()]);
    expect(judgement).toMatchObject({ outcome: 'pass', score: 1, issues: [] });
  });

  test.each(CASES)('%s: a rejection, with its reason', async (_name, ask, structured) => {
    const judgement = await judged(ask({ structured }), ['Write.'], [draft, judges.fail('it names no time')]);
    expect(judgement.outcome).toBe('fail');
    expect(new Set(judgement.issues.map(({ message }) => message))).toEqual(new Set(['it names no time']));
  });

  test.each(CASES)('%s: no verdict, and none in form either', async (_name, ask, structured) => {
    const script = [draft, { ...judges.unreadable(), times: 2 }];
    expect(await judged(ask({ structured }), ['Write.'], script, true)).toMatchObject({ outcome: 'inconclusive' });
  });

  test.each(REPAIRED)('%s: a verdict in the form that a repair asks for', async (_name, ask, structured) => {
    const script = [draft, judges.unreadable(), judges.pass()];
    expect(await judged(ask({ structured }), ['Write.'], script, true)).toMatchObject({ outcome: 'pass' });
  });

  test('a repair of a comparison shows no texts, and can only stay unreadable', async () => {
    const script = [draft, judges.unreadable(), judges.pass()];
    await expect(judged(comparison(), ['Write.'], script, true)).rejects.toThrow('shows no texts');
  });

  test('the settings of a rejection reach the issue', async () => {
    const more = { severity: 'critical', suggestion: 'Add one.', path: '/time', missingInformation: true } as const;
    const entry = judges.fail('it names no time', { ...more, score: 0.1 });
    const { issues, score } = await judged(llm(), [], [entry]);
    expect([issues, score]).toMatchObject([[{ message: 'it names no time', ...more }], 0.1]);
    const asked = await judged(questions(), [], [judges.fail('two times', { questions: ['q2'], severity: 'minor' })]);
    expect(asked.issues).toMatchObject([
      { message: 'two times', severity: 'minor', type: expect.stringContaining('one only') },
    ]);
  });

  test('a version that was shown again to be revised is the earlier one', async () => {
    const input = earlier({ output: 'See you at nine.', prior: OUTPUT });
    const script = [draft, { reply: 'an edit' }, judges.fail('it is longer')];
    expect(await judged(input, ['Write.', `Revise:\n${OUTPUT}`], script)).toMatchObject({ outcome: 'fail' });
  });

  test('the output of a comparison can be named', async () => {
    const script = [judges.fail('it is shorter', { output: /^See you/ })];
    expect(await judged(comparison(), [], script)).toMatchObject({ outcome: 'fail' });
  });

  test.each(CASES)('%s: decides by the text', async (_name, ask, structured) => {
    const about = /^See you/;
    const scripts: [ScriptEntry[], string][] = [
      [[judges.fail('no', { about }), { ...judges.pass(), times: 'always' }], 'fail'],
      [[{ ...judges.fail('no', { about: /^Hi!$/ }), times: 'always' }, judges.pass({ about })], 'pass'],
      [[{ ...judges.unreadable('Hm.', { about: 'noon' }), times: 'always' }, judges.pass({ about })], 'pass'],
      [[judges.unreadable('Hm.', { about }), { ...judges.pass(), times: 'always' }], 'inconclusive'],
    ];
    for (const [script, outcome] of scripts) {
      const { outcome: found, unreadable } = await judged(ask({ structured }), ['Write.'], [draft, ...script]);
      expect(unreadable === undefined ? found : 'inconclusive').toBe(outcome);
    }
  });

  test('an answer about a text is none to a prompt, a form or an author whose words fit', async () => {
    const about = /note|friendly/;
    const script = [{ ...judges.fail('no', { about }), times: 'always' as const }, judges.pass()];
    expect(await judged(llm(), [], script)).toMatchObject({ outcome: 'pass' });
    const repaired = [judges.unreadable('It is a note.'), script[0]!, judges.pass()];
    expect(await judged(llm(), [], repaired, true)).toMatchObject({ outcome: 'pass' });
  });

  test('`match` and `about` of one answer both hold', async () => {
    const answers = (match: string) => [{ ...judges.fail('no', { about: 'See' }), match, times: 'always' as const }];
    const told = [draft, ...answers('friendly'), { ...judges.pass(), times: 'always' as const }];
    expect(await judged(llm(), ['Be friendly.'], [...told].reverse())).toMatchObject({ outcome: 'pass' });
    expect(await judged(llm(), ['Be friendly.'], told)).toMatchObject({ outcome: 'fail' });
    const elsewhere = [draft, ...answers('hostile'), judges.pass()];
    expect(await judged(llm(), ['Be friendly.'], elsewhere)).toMatchObject({ outcome: 'pass' });
  });

  test.each<[string, ReturnType<Ask>, ScriptEntry, RegExp]>([
    ['a question that is not asked', criteria(), judges.fail('no', { questions: ['q99'] }), /asked q1, .*not q99/],
    ['an output that nobody wrote', comparison(), judges.pass(), /set `output`/],
    ['an output that is not compared', comparison(), judges.pass({ output: /at noon/ }), /fits `output`/],
  ])('%s fails the test', async (_name, asked, entry, message) => {
    const error: unknown = await judged(asked, [], [entry]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptExhaustedError);
    expect((error as Error).message).toMatch(message);
  });

  test('an answer fits requests of judges only', async () => {
    const error: unknown = await judged(llm(), ['Write.'], [judges.pass()]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptExhaustedError);
    // An entry's own `match` narrows them down.
    const script = [{ ...judges.pass(), match: 'Write' }, draft];
    expect(await judged(llm(), ['Write.'], script)).toMatchObject({ outcome: 'pass' });
  });

  test('an answer that is left over is told by its name', async () => {
    const left = judged(llm(), [], [judges.pass(), judges.fail('why')]);
    const error: unknown = await left.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptUnusedError);
    expect((error as Error).message).toContain('judges.fail(');
  });
});
