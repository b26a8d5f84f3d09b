import { delayBeforeCheck } from '../../../src/loop/limits/check-retries';

/** Milliseconds from the first attempt to the end, where each takes as long, and the number of attempts. */
function patience(attemptMs: number, askedMs?: number): { ms: number; attempts: number } {
  let ms = attemptMs;
  for (let attempts = 1; ; attempts += 1) {
    const delay = delayBeforeCheck(attempts, ms, askedMs);
    if (delay === undefined) return { ms, attempts };
    ms += delay + attemptMs;
  }
}

describe('how long a check that fails is made again', () => {
  test.each([
    ['that fails at once', 0, undefined],
    ['that never answers', 20_000, undefined],
    ['that is cut short', 30_000, undefined],
    ['that asks for an hour', 0, 3_600_000],
    ['that asks to be made at once', 0, 0.5],
  ])('one %s ends after about five minutes', (_what, attemptMs, askedMs) => {
    const { ms } = patience(attemptMs, askedMs);
    expect(ms).toBeGreaterThan(4 * 60_000);
    expect(ms).toBeLessThan(5 * 60_000 + 60_000);
  });

  test('the first waits are short, later ones half a minute', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((failures) => delayBeforeCheck(failures, 0));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});
