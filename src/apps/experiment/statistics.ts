/** A source of seeded pseudo-random numbers (mulberry32), so that draws can be repeated. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring streams.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** Returns the next number, 0 ≤ x < 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  oneOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.next() * items.length)];
  }
}

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface Rate extends Estimate {
  count: number;
  of: number;
}

/** The quantile of the standard normal distribution below which 97.5 % of it lie. */
const Z = 1.959964;
const RESAMPLES = 2_000;

/**
 * Returns a share with Wilson's score interval, which keeps its 95 % for few cases and for shares near 0 and 1 (E. B.
 * Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927, pp. 209–212).
 */
export function estimateRate(count: number, of: number): Rate {
  if (of === 0) return { count, of, value: 0, low: 0, high: 1 };
  const share = count / of;
  const shrink = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / shrink;
  const half = (Z / shrink) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return { count, of, value: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/**
 * The mean of one value a case, with the percentile interval of the bootstrap: cases are drawn again with replacement (B. Efron
 * and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13). Given differences of two arms on the same cases,
 * it is the paired comparison, in which how hard a case is cancels out.
 * @param values at least one
 */
export function estimateMean(values: readonly number[], seed: number): Estimate {
  const chance = new Chance(seed);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) sum += chance.oneOf(values)!;
    return sum / values.length;
  }).sort();
  const at = (share: number): number => means[Math.round(share * (RESAMPLES - 1))]!;
  return { value: meanOf(values), low: at(0.025), high: at(0.975) };
}

/**
 * The probability, where two arms were equally good, that the cases on which they differ are divided as unevenly as this:
 * McNemar's test in its exact, two-sided form (Q. McNemar, "Note on the sampling error of the difference between correlated
 * proportions or percentages", Psychometrika 12, 1947, pp. 153–157). With few cases it is stricter than the bootstrap.
 */
export function mcNemar(wins: number, losses: number): number {
  const of = wins + losses;
  let ways = 1;
  let sum = 0;
  for (let k = 0; k <= Math.min(wins, losses); k += 1) {
    sum += ways;
    ways *= (of - k) / (k + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** of);
}

/**
 * A quantile by linear interpolation between the values beside it (R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50, 1996, pp. 361–365, type 7).
 * @param values at least one
 * @param share 0 to 1
 */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}
