import fc from 'fast-check';
import { compare, type Conclusion } from '../../../src/apps/experiment/comparison';
import { renderConclusion } from '../../../src/apps/experiment/conclusion-text';
import { rowOf } from '../../../src/apps/experiment/rows';
import type { CaseOutcome } from '../../../src/apps/experiment/outcome';
import { NO_USAGE } from '../../../src/lib/base/tokens';

const [ONE, OTHER] = [{ name: 'one' }, { name: 'other' }];

const outcome = (arm: string, at: number, right: boolean, totalTokens: number): CaseOutcome => ({
  case: `case ${at}`,
  arm,
  passed: true,
  right,
  score: 1,
  output: null,
  usage: { ...NO_USAGE, totalTokens, modelCalls: 1 },
  ms: 1,
  reason: 'quality_met',
  iterations: 1,
  workflowIds: [],
});

/** Cases in which both are right, only the one, only the other, and neither; the one uses so many times the tokens. */
function outcomes([both, wins, losses, neither]: [number, number, number, number], times: number): CaseOutcome[] {
  const rights = [
    ...Array.from({ length: both }, () => [true, true] as const),
    ...Array.from({ length: wins }, () => [true, false] as const),
    ...Array.from({ length: losses }, () => [false, true] as const),
    ...Array.from({ length: neither }, () => [false, false] as const),
  ];
  return rights.flatMap(([one, other], at) => [outcome('one', at, one, 100 * times), outcome('other', at, other, 100)]);
}

describe('what is said of two arms', () => {
  test.each<[string, [number, number, number, number], number, Conclusion]>([
    ['wins that chance does not explain', [10, 8, 0, 2], 3, 'better'],
    ['losses that chance does not explain', [10, 0, 8, 2], 1, 'worse'],
    ['five wins of five could be chance', [10, 5, 0, 0], 3, 'undecided'],
    ['the same for more tokens', [20, 2, 2, 6], 1.2, 'not_worth_its_cost'],
    ['the same for fewer', [20, 2, 2, 6], 0.5, 'cheaper'],
    ['the same for as many', [20, 2, 2, 6], 1.05, 'no_difference'],
    ['no case differs', [3, 0, 0, 0], 1, 'no_difference'],
  ])('%s', (_what, cases, times, conclusion) => {
    const found = compare(ONE, OTHER, outcomes(cases, times), 1)!;
    expect(found).toMatchObject({ by: 'right', cases: cases[0] + cases[1] + cases[2] + cases[3], conclusion });
    expect(found.tokens).toBeCloseTo(times);
    expect(renderConclusion(found)).toContain(conclusion === 'worse' ? 'one is worse than other' : 'one');
  });

  test('cases that nobody could judge are no pairs, and have no part in the rates; failed ones are and have', () => {
    const all = outcomes([10, 8, 0, 2], 1);
    const open = { ...outcome('one', 90, false, 1), case: 'open' };
    const { right: _right, ...unsaid } = open;
    const failed = { ...unsaid, case: 'failed', error: { type: 'StepFailed', message: 'away' } };
    const others = ['open', 'failed'].map((name) => ({ ...outcome('other', 91, true, 1), case: name }));
    expect(compare(ONE, OTHER, [...all, unsaid, failed, ...others], 1)).toMatchObject({
      cases: 21,
      wins: 8,
      losses: 1,
    });
    const byOwn = [...all, unsaid, ...others].map((each) => ({ ...each, right: undefined as never }));
    const unjudged = byOwn.map((each) =>
      each.case === 'open' && each.arm === 'one' ? { ...each, passed: false, unjudged: true as const } : each,
    );
    expect(compare(ONE, OTHER, byOwn, 1)).toMatchObject({ by: 'passed', cases: 21 });
    expect(compare(ONE, OTHER, unjudged, 1)).toMatchObject({ by: 'passed', cases: 20, losses: 0 });
    const row = rowOf({ name: 'one', kind: 'loop', spec: {} as never }, unjudged, 1);
    expect(row).toMatchObject({ cases: 21, unjudged: 1, failed: 0, passed: { count: 20, of: 20 } });
    expect(rowOf({ name: 'one', kind: 'loop', spec: {} as never }, [unsaid, failed, all[0]!], 1).right).toMatchObject({
      count: 1,
      of: 2,
    });
  });

  test('the other way round, the same is said the other way round', () => {
    const counts = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20)).filter((each) => each.some((n) => n > 0));
    fc.assert(
      fc.property(counts, (cases) => {
        const all = outcomes(cases, 1);
        const [one, other] = [compare(ONE, OTHER, all, 1)!, compare(OTHER, ONE, all, 1)!];
        expect(other.difference.value).toBeCloseTo(-one.difference.value, 12);
        expect([other.wins, other.losses, other.p]).toEqual([one.losses, one.wins, one.p]);
        expect(one.difference.low).toBeLessThanOrEqual(one.difference.value + 1e-12);
        expect(one.difference.high).toBeGreaterThanOrEqual(one.difference.value - 1e-12);
        if (one.wins === one.losses) expect(one.conclusion).toBe('no_difference');
      }),
      { numRuns: 60 },
    );
  });

  test('arms that have no case in common are not compared', () => {
    expect(compare(ONE, OTHER, [outcome('one', 1, true, 1), outcome('other', 2, true, 1)], 1)).toBeUndefined();
  });
});
