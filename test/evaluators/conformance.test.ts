import type { Json } from '../../src/lib/json/json';
import { EVALUATORS, evaluatorKind } from '../../src/evaluators';
import { runsLocally } from '../../src/loop/spec/evaluator-traits';
import type { EvaluationContext } from '../../src/evaluators/types';
import { evaluatorTypes } from '../../src/loop/contract/evaluators';
import { CONFORMANCE_CASES, MORE_CASES } from './conformance-cases';
import type { ConformanceCase } from './conformance-cases/case';
import { judgeInput, withScript } from './scripted-judge';
import type { Judgement } from '../../src/loop/state/evaluation';

test('every kind that a spec may name is registered, and goes through this suite', () => {
  const names = Object.keys(EVALUATORS).toSorted();
  expect(evaluatorTypes().toSorted()).toEqual(names);
  expect([...Object.keys(CONFORMANCE_CASES), 'workflow'].toSorted()).toEqual(names);
});

const cases = Object.entries({ ...CONFORMANCE_CASES, ...MORE_CASES }) as unknown as [string, ConformanceCase][];

describe.each(cases)('%s', (_title, each) => {
  const { config, good, bad, broken, outage } = each;
  const { type } = config;
  const kind = evaluatorKind(config);

  /** Judges an output while the models say what they are told to. */
  function judged(output: Json, says: readonly object[] = [], as = config): Promise<Judgement> {
    const input = judgeInput({ ...each.input, output });
    return withScript([...says], (world) => kind.evaluate(as, input, { ...world, ...each.context }));
  }

  test('is in the registry under its own type', () => {
    expect(kind).toBe(EVALUATORS[type]);
    expect(kind.type).toBe(type);
    expect(runsLocally(config)).toBe(each.local);
  });

  test('finds nothing wrong with a good configuration, and says where a bad one is wrong', async () => {
    await withScript([], async (world) => {
      const context = { ...world, ...each.context };
      expect(await kind.problems(config, context)).toEqual([]);
      const problems = await kind.problems(broken, context);
      expect(problems.length).toBeGreaterThan(0);
      for (const { path, message } of problems)
        expect([path, message]).toEqual([expect.stringMatching(/^\//), expect.stringMatching(/./)]);
    });
  });

  test.each([
    ['pass', good, each.says?.good],
    ['fail', bad, each.says?.bad],
  ] as const)('%s: an outcome, a score between 0 and 1, and issues to act on', async (outcome, output, replies) => {
    const judgement = await judged(output, replies);
    expect(judgement.outcome).toBe(outcome);
    expect(judgement.score).toBeGreaterThanOrEqual(0);
    expect(judgement.score).toBeLessThanOrEqual(1);
    for (const score of Object.values(judgement.criteriaScores ?? {})) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(judgement.confidence).toBeGreaterThan(0);
    expect(judgement.confidence).toBeLessThanOrEqual(1);
    expect(judgement.issues.length > 0).toBe(outcome === 'fail');
    for (const issue of judgement.issues)
      expect(issue).toMatchObject({ message: expect.stringMatching(/\w{3}/) as string, evaluator: type });
    expect(JSON.parse(JSON.stringify(judgement))).toEqual(judgement);
  });

  const withOutage = outage ? [outage] : [];
  if (withOutage.length === 0) {
    test('nothing can keep it from judging: it is local', () => expect(runsLocally(config)).toBe(true));
  }
  for (const { output = good, says, config: as } of withOutage)
    test('one that could not judge throws, or is inconclusive without a score: never a bad one', async () => {
      const judging = judged(output, says, as);
      const judgement = await judging.catch((error: unknown) => error);
      if (judgement instanceof Error) expect(judgement.message).toMatch(/\w{3}/);
      else {
        expect(judgement).toMatchObject({ outcome: 'inconclusive', score: null, issues: [], confidence: 0 });
        expect((judgement as Judgement).reason).toMatch(/\w{3}/);
      }
    });

  test('does no work for a run that was cancelled', async () => {
    const reason = new Error('cancelled');
    await withScript([], async (world) => {
      const cancelled: EvaluationContext = { ...world, ...each.context, signal: AbortSignal.abort(reason) };
      await expect(kind.evaluate(config, judgeInput({ ...each.input, output: good }), cancelled)).rejects.toThrow(
        reason,
      );
    });
  });

  test('carries the name that the spec gave it', async () => {
    const judgement = await judged(bad, each.says?.bad, { ...config, name: 'mine' });
    expect(judgement.issues.map(({ evaluator }) => evaluator)).toEqual(judgement.issues.map(() => 'mine'));
  });

  test('leaks no state: what it is given stays as it is, and what came before changes nothing', async () => {
    const input = judgeInput({ ...each.input, output: good, state: { kept: { deep: ['x'] } } });
    const before = structuredClone({ input, config });
    const says = [...(each.says?.good ?? []), ...(each.says?.bad ?? []), ...(each.says?.good ?? [])];
    const [first, second] = await withScript(says, async (world) => {
      const context = { ...world, ...each.context };
      const one = await kind.evaluate(config, input, context);
      await kind.evaluate(config, { ...input, output: bad }, context);
      return [one, await kind.evaluate(config, input, context)];
    });
    expect(second).toEqual(first);
    expect({ input, config }).toEqual(before);
  });
});
