import { planRevision } from '../../../src/loop/revision/revision-plan';
import { initialState, type ReflectionVersion } from '../../../src/loop/state/loop-state';
import { convergedBecause } from '../../../src/loop/moves/stop-rules';
import { hasDropped } from '../../../src/loop/moves/triggers';
import { anEvaluation, aVersion, DEFAULT_CONVERGENCE } from '../../../testing/support/versions';

const convergence = DEFAULT_CONVERGENCE;
const revision = { strategy: 'full_rewrite', includePriorVersions: false, includeReflectionHistory: true } as const;
const choosesStrategy = false;
const words = ['alpha', 'bravo', 'kilo', 'zulu'];

function scored(...scores: number[]): ReflectionVersion[] {
  return scores.map((score, index) => ({
    ...aVersion(index + 1, anEvaluation('fail', score, { issues: [`issue of ${index}`] })),
    output: words[index]!,
  }));
}

/** Scores in hundredths, as judges give them. */
const hundredths = Array.from({ length: 85 }, (_, index) => index);

describe('scores that differ by just a limit, wherever they are', () => {
  test('a gain of the threshold is large enough, one below it is not', () => {
    const reasons = (step: number) =>
      hundredths.map((from) => {
        const list = scored(...[0, step, 2 * step].map((more) => (from + more) / 100));
        return convergedBecause(list, { convergence, choosesStrategy });
      });
    expect(new Set(reasons(5))).toEqual(new Set([undefined]));
    expect(new Set(reasons(4))).toEqual(new Set(['diminishing']));
  });

  test('alternating scores that move by the threshold are not an oscillation', () => {
    const reasons = hundredths.slice(0, 60).map((from) => {
      const list = scored(...[0, 20, 5, 25].map((more) => (from + more) / 100));
      return convergedBecause(list, { convergence: { ...convergence, plateauIterations: 9 }, choosesStrategy });
    });
    expect(new Set(reasons)).toEqual(new Set([undefined]));
  });

  test('a drop by a judge’s noise reverts nothing, a greater one does', () => {
    const reverted = (drop: number) =>
      hundredths.slice(5).map((from) => {
        const state = { ...initialState(0), versions: scored(from / 100, (from - drop) / 100), bestIteration: 1 };
        return planRevision({ revision }, state)!.reverted;
      });
    expect(new Set(reverted(2))).toEqual(new Set([false]));
    expect(new Set(reverted(3))).toEqual(new Set([true]));
  });

  test('a drop of just the threshold is no more than it', () => {
    const dropped = (drop: number) =>
      hundredths
        .slice(15)
        .map((from) =>
          hasDropped({ triggers: { qualityDropThreshold: 0.1 } }, scored(from / 100, (from - drop) / 100)),
        );
    expect(new Set(dropped(10))).toEqual(new Set([false]));
    expect(new Set(dropped(11))).toEqual(new Set([true]));
  });
});
