import { mcNemar, computeQuantile } from '../../../src/apps/experiment/statistics';

describe('statistics of experiments', () => {
  // The exact binomial test with p = ½, as R's binom.test(wins, wins + losses) gives it.
  test.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [0, 6, 0.03125],
    [10, 2, 0.03857],
    [7, 7, 1],
    [120, 80, 0.00569],
  ])('McNemar: %i to %i has p %d', (wins, losses, p) => {
    expect(mcNemar(wins, losses)).toBeCloseTo(p, 4);
  });

  test.each([
    [[5], 0.5, 5],
    [[4, 1, 3, 2], 0.5, 2.5],
    [[1, 2, 3, 4, 5], 0.95, 4.8],
    [[1, 2, 3, 4, 5], 1, 5],
  ])('quantile of %j at %d is %d', (values, share, value) => {
    expect(computeQuantile(values, share)).toBeCloseTo(value, 10);
  });
});
