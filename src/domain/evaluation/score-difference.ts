/** Digits of a score that mean something. */
const DIGITS = 9;

/**
 * How much greater a score is than another. Decimal fractions do not subtract exactly: 0.45 − 0.4 is less than 0.05, and
 * 0.8 − 0.7 more than 0.1, so that a step of just a limit would count as less than it or as more, by chance.
 */
export function scoreDifference(score: number, other: number): number {
  return Number((score - other).toFixed(DIGITS));
}
