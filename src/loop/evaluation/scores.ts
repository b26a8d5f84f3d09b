import type { Issue } from '../contract/evaluation';

const DIGITS = 9;

/** Decimal fractions do not subtract exactly: 0.45 − 0.4 is less than 0.05, and a step of just a limit would count by chance. */
export function scoreDifference(score: number, other: number): number {
  return Number((score - other).toFixed(DIGITS));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

/** Computes the mean of a value of each item by the items' weights; if no item has a weight, all count the same. 0 of nothing. */
export function weightedMean<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  valueOf: (item: Item) => number,
): number {
  if (items.length === 0) return 0;
  const areWeighed = items.some((item) => weightOf(item) > 0);
  const weights = items.map((item) => (areWeighed ? weightOf(item) : 1));
  const sum = items.reduce((total, item, index) => total + weights[index]! * valueOf(item), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

export function isSerious({ severity }: Pick<Issue, 'severity'>): boolean {
  return severity === 'major' || severity === 'critical';
}

/** A judge that reports a major or critical issue does not pass the output, however high its score. */
export function passesByScore(score: number, issues: readonly Pick<Issue, 'severity'>[], threshold: number): boolean {
  return score >= threshold && !issues.some(isSerious);
}
