import { selectBest } from '../../../src/loop/versions/selection';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

describe('selection of the best version', () => {
  const iterationOf = (selection: Parameters<typeof selectBest>[1], versions: Parameters<typeof selectBest>[0]) =>
    selectBest(versions, selection)?.iteration;

  test('highest_score compares outcome first, then score', () => {
    const versions = [
      aVersion(1, anEvaluation('fail', 0.9)),
      aVersion(2, anEvaluation('pass', 0.6)),
      aVersion(3, anEvaluation('pass', 0.7)),
      aVersion(4, anEvaluation('inconclusive', null)),
    ];
    expect(iterationOf('highest_score', versions)).toBe(3);
  });

  test('an inconclusive version is never better than a failed one', () => {
    const versions = [aVersion(1, anEvaluation('inconclusive', null)), aVersion(2, anEvaluation('fail', 0))];
    expect(iterationOf('highest_score', versions)).toBe(2);
  });

  test('the share of checks passed ranks versions of the same score', () => {
    const versions = [
      aVersion(1, anEvaluation('fail', 0, { checksPassed: 0.4 })),
      aVersion(2, anEvaluation('fail', 0, { checksPassed: 0.9 })),
      aVersion(3, anEvaluation('fail', 0, { checksPassed: 0.7 })),
    ];
    expect(iterationOf('highest_score', versions)).toBe(2);
  });

  test('a tie goes to the earlier iteration', () => {
    const versions = [1, 2, 3].map((iteration) => aVersion(iteration, anEvaluation('fail', 0.5)));
    expect(iterationOf('highest_score', versions)).toBe(1);
  });

  test('latest takes the last version, whatever its score', () => {
    const versions = [aVersion(1, anEvaluation('pass', 1)), aVersion(2, anEvaluation('fail', 0.1))];
    expect(iterationOf('latest', versions)).toBe(2);
  });

  test('first_satisfactory keeps the first that passed; without one, the best', () => {
    const passed = [
      aVersion(1, anEvaluation('fail', 0.7)),
      aVersion(2, anEvaluation('pass', 0.8)),
      aVersion(3, anEvaluation('pass', 0.95)),
    ];
    expect(iterationOf('first_satisfactory', passed)).toBe(2);
    expect(iterationOf('first_satisfactory', passed.slice(0, 1))).toBe(1);
  });

  test('weighted_recency takes 10% off a score for each later iteration', () => {
    // 0.80 × 0.9² = 0.648 is less than 0.66; 0.80 × 0.9 = 0.72 is more.
    const versions = [
      aVersion(1, anEvaluation('fail', 0.8)),
      aVersion(2, anEvaluation('fail', 0.66)),
      aVersion(3, anEvaluation('fail', 0.66)),
    ];
    expect(iterationOf('weighted_recency', versions.slice(0, 2))).toBe(1);
    expect(iterationOf('weighted_recency', versions)).toBe(3);
  });

  test('given no versions, there is no best', () => {
    expect(selectBest([], 'highest_score')).toBeUndefined();
  });
});
