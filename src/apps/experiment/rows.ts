import type { Arm } from './arms';
import { type CaseOutcome, isDecisive } from './outcome';
import { type Estimate, estimateMean, computeQuantile, type Rate, estimateRate } from './statistics';
import type { Comparison } from './comparison';

export interface ExperimentReport {
  name: string;
  arms: ArmRow[];
  comparisons: Comparison[];
  conclusions: string[];
  cautions: string[];
  outcomes: CaseOutcome[];
}

/** The results of an arm on all cases. Means and quantiles are those of cases that have a result. */
export interface ArmRow {
  arm: string;
  kind: Arm['kind'];
  cases: number;
  /** Cases without a result, because a run failed. They count as neither passed nor right. */
  failed: number;
  /** Cases whose output no evaluator could judge. They have no part in `passed`. Undefined if there are none. */
  unjudged?: number;
  passed: Rate;
  /** The rate by the reference or the held-out judge; undefined if neither was given. */
  right?: Rate;
  calls?: Estimate;
  tokens?: Estimate;
  /** Dollars per case; null if the price of a call is unknown. */
  usd?: Estimate | null;
  p50Ms?: number;
  p95Ms?: number;
  reasons: Record<string, number>;
  /** The number of cases that passed with each version, or, of samples, with each sample. */
  passedAt: Record<string, number>;
}

function countEach(keys: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

export function rowOf({ name, kind }: Arm, outcomes: readonly CaseOutcome[], seed: number): ArmRow {
  const own = outcomes.filter(({ arm }) => arm === name);
  const ended = own.filter(({ error }) => error === undefined);
  const judged = own.some(({ right }) => right !== undefined);
  const unjudged = own.filter((each) => each.unjudged).length;
  const base: ArmRow = {
    arm: name,
    kind,
    cases: own.length,
    failed: own.length - ended.length,
    ...(unjudged > 0 && { unjudged }),
    passed: estimateRate(
      own.filter(({ passed }) => passed).length,
      own.filter((each) => isDecisive(each, 'passed')).length,
    ),
    ...(judged && {
      right: estimateRate(
        own.filter(({ right }) => right).length,
        own.filter((each) => isDecisive(each, 'right')).length,
      ),
    }),
    reasons: countEach(own.map(({ reason }) => reason)),
    passedAt: countEach(own.flatMap(({ passedAt }) => (passedAt === undefined ? [] : [passedAt]))),
  };
  if (ended.length === 0) return base;
  const prices = ended.map(({ usage }) => usage.usd);
  const times = ended.map(({ ms }) => ms);
  const estimate = (value: (outcome: CaseOutcome) => number): Estimate => estimateMean(ended.map(value), seed);
  return {
    ...base,
    calls: estimate(({ usage }) => usage.modelCalls),
    tokens: estimate(({ usage }) => usage.totalTokens),
    usd: prices.every((usd): usd is number => usd !== null) ? estimateMean(prices, seed) : null,
    p50Ms: computeQuantile(times, 0.5),
    p95Ms: computeQuantile(times, 0.95),
  };
}
