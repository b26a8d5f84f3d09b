import type { Issue } from '../state/evaluation';

/** Digits of a score that mean something. */
const DIGITS = 9;

/**
 * How much greater a score is than another. Decimal fractions do not subtract exactly: 0.45 − 0.4 is less than 0.05, and
 * 0.8 − 0.7 more than 0.1, so that a step of just a limit would count as less than it or as more, by chance.
 */
export function scoreDifference(score: number, other: number): number {
  return Number((score - other).toFixed(DIGITS));
}

/**
 * Whether a judgement that carries a score and no verdict is a pass. A judge that calls something a major or critical fault
 * has said that the output is not good enough, however high the number that it puts beside it.
 */
export function passesByScore(score: number, issues: readonly Pick<Issue, 'severity'>[], threshold: number): boolean {
  return score >= threshold && !issues.some(({ severity }) => severity === 'major' || severity === 'critical');
}
