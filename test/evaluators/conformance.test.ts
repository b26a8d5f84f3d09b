import type { Evaluator, EvaluatorType } from '../../src/domain/spec';
import type { Json } from '../../src/domain/json';
import { EVALUATORS, evaluatorKind } from '../../src/evaluators/index';
import { judgeInput, withScript } from './scripted-judge';

interface Case {
  config: Evaluator;
  /** An output that the evaluator accepts, and one that it rejects. */
  good: Json;
  bad: Json;
  /** What a judge says of each, for kinds that ask a model. */
  says: { good: object[]; bad: object[] };
  broken: Evaluator;
}

/** A kind of the registry without a case does not compile. */
const CASES: { [Type in EvaluatorType]: Case } = {
  schema: {
    config: { type: 'schema', schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
    good: { a: '1' },
    bad: { a: 'x' },
    says: { good: [], bad: [] },
    broken: { type: 'schema', schema: { type: 'nothing' } },
  },
  llm: {
    config: { type: 'llm', prompt: 'Look at {{ state.reflection_output | tojson }}' },
    good: 'good',
    bad: 'bad',
    says: { good: [{ valid: true, score: 1 }], bad: [{ valid: false, score: 0.2, reason: 'it is bad' }] },
    broken: { type: 'llm', prompt: '{% if %}' },
  },
};

describe.each(Object.entries(CASES))('%s', (type, { config, good, bad, says, broken }) => {
  const kind = evaluatorKind(config);

  test('P13 is in the registry under its own type', () => {
    expect(kind).toBe(EVALUATORS[type as EvaluatorType]);
    expect(kind.type).toBe(type);
    expect(kind.local).toBe(says.good.length === 0);
  });

  test('P13 finds nothing wrong with a good configuration, and says where a bad one is wrong', async () => {
    await withScript([], async ({ models }) => {
      expect(kind.problems(config, { models })).toEqual([]);
      const problems = kind.problems(broken, { models });
      expect(problems.length).toBeGreaterThan(0);
      for (const { path, message } of problems)
        expect([path, message]).toEqual([expect.stringMatching(/^\//), expect.stringMatching(/./)]);
    });
  });

  test.each([
    ['pass', good, says.good],
    ['fail', bad, says.bad],
  ] as const)(
    'P13 T10 %s: an outcome, a score between 0 and 1, and issues to act on',
    async (outcome, output, replies) => {
      const state = { kept: { deep: ['x'] } };
      const input = judgeInput({ output, state });
      const before = structuredClone({ input, config });
      const judgement = await withScript([...replies], (world) => kind.evaluate(config, input, world));
      expect(judgement.outcome).toBe(outcome);
      expect(judgement.score).toBeGreaterThanOrEqual(0);
      expect(judgement.score).toBeLessThanOrEqual(1);
      expect(judgement.confidence).toBeGreaterThan(0);
      expect(judgement.confidence).toBeLessThanOrEqual(1);
      expect(judgement.issues.length > 0).toBe(outcome === 'fail');
      for (const issue of judgement.issues)
        expect(issue).toMatchObject({ message: expect.stringMatching(/\w{3}/) as string, evaluator: type });
      expect(JSON.parse(JSON.stringify(judgement))).toEqual(judgement);
      expect({ input, config }).toEqual(before);
    },
  );

  test('P13 does no work for a run that was cancelled', async () => {
    const reason = new Error('cancelled');
    await withScript([], async (world) => {
      const cancelled = { ...world, signal: AbortSignal.abort(reason) };
      await expect(kind.evaluate(config, judgeInput({ output: good }), cancelled)).rejects.toThrow(reason);
    });
  });

  test('P13 carries the name that the spec gave it', async () => {
    const named = { ...config, name: 'mine' };
    const judgement = await withScript([...says.bad], (world) =>
      kind.evaluate(named, judgeInput({ output: bad }), world),
    );
    expect(judgement.issues.map(({ evaluator }) => evaluator)).toEqual(judgement.issues.map(() => 'mine'));
  });
});
