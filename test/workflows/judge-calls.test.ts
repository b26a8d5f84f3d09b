import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { answers, draft, JudgedPoems, vote } from './judged-poems';

/** A criterion with three questions of its own. */
const three = (name: string) => ({
  name,
  evaluatorConfig: { questions: ['first', 'second', 'third'].map((which) => `Is the ${which} part of ${name} there?`) },
});

describe('the calls of judges', () => {
  let poems: JudgedPoems;
  beforeAll(async () => {
    poems = await JudgedPoems.start();
  });
  afterAll(() => poems.close());

  /** The temperature and the seed of each judge's request. */
  const draws = () =>
    poems
      .requests()
      .map(({ body }) => body!)
      .slice(1)
      .map(({ temperature, seed }) => [temperature, seed]);

  test.each<[string, Omit<ReflectionSpec, 'generator'>, ScriptEntry[], (number | undefined)[][]]>([
    ['asked once', { evaluator: { type: 'llm' } }, [{ match: 'Judge', reply: vote(true, 0.9) }], [[0, undefined]]],
    [
      'asked three times',
      { evaluator: { type: 'llm' }, judge: { votes: 3 } },
      [{ match: 'Judge', reply: vote(true, 0.9), times: 3 }],
      [
        [0.7, 1],
        [0.7, 2],
        [0.7, 3],
      ],
    ],
    [
      'asked again, because neither its reply nor the repair of it can be read',
      { evaluator: { type: 'llm' } },
      [{ match: 'judge', reply: 'Well!', times: 2 } as ScriptEntry, { match: 'Judge', reply: vote(true, 0.9) }],
      [
        [0, undefined],
        [0, undefined],
        [0.7, 2],
      ],
    ],
    [
      'asked to confirm a pass',
      { evaluator: { type: 'llm' }, judge: { second: { type: 'llm' } } },
      [{ match: 'Judge', reply: vote(true, 0.85), times: 2 }],
      [
        [0, undefined],
        [0.7, 3],
      ],
    ],
    [
      'with a temperature of its own, or of the spec',
      {
        evaluator: [
          { type: 'llm', prompt: 'Judge the form.', temperature: 0.2 },
          { type: 'criteria', criteria: [three('coherence')] },
        ],
        judge: { temperature: 0.4 },
        budget: { modelCalls: 9 },
      },
      [
        { match: 'Judge', reply: vote(true, 1) },
        { match: 'Questions', reply: answers('yes', 'yes', 'yes') },
      ],
      [
        [0.2, undefined],
        [0.4, undefined],
      ],
    ],
  ])('the temperature and the seed of a judge: %s', async (_what, spec, judgements, drawn) => {
    const { result } = await poems.run([draft('poem'), ...judgements], spec);
    expect(result.success).toBe(true);
    // Votes are asked side by side.
    const inOrder = draws().toSorted(([, one = 0], [, other = 0]) => one - other);
    expect(inOrder).toEqual(drawn);
  });

  test('a checklist that leaves questions out is asked the others in a repair call, with all that it was shown', async () => {
    const evaluator: ReflectionSpec['evaluator'] = { type: 'criteria', criteria: [three('coherence'), three('wit')] };
    const list = (numbers: number[]) => ({
      answers: numbers.map((number) => ({ question: `q${number}`, finding: 'vivid', answer: 'yes' })),
      confidence: 0.9,
    });
    const script = [
      draft('poem'),
      { match: 'q1. ', reply: list([1, 2, 3]) },
      { match: 'q4. ', reply: list([4, 5, 6]) },
    ] as ScriptEntry[];
    const { result, activities } = await poems.run(script, { evaluator });
    expect(activities).toEqual(['reflection.generate', 'reflection.evaluate', 'reflection.repair']);
    expect(result).toMatchObject({
      success: true,
      tokenUsage: { modelCalls: 3 },
      finalEvaluation: { overallScore: 1, evaluators: [{ coverage: 1 }] },
    });
    const asked = poems
      .requests()[2]!
      .body!.messages.map(({ content }) => content)
      .join();
    expect(asked).not.toContain('q1. ');
    expect(asked).toContain('poem');
  });

  test('a checklist that leaves the same question out twice is no pass', async () => {
    const evaluator: ReflectionSpec['evaluator'] = { type: 'criteria', criteria: [three('coherence')] };
    const script = [draft('poem'), { match: 'Questions', reply: answers('yes', 'yes'), times: 4 }] as ScriptEntry[];
    const { result } = await poems.run(script, { evaluator });
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'blocked',
      finalEvaluation: { outcome: 'inconclusive', overallScore: null },
    });
    expect(result.finalEvaluation!.evaluators[0]!.coverage).toBeCloseTo(2 / 3);
  });
});
