import type { Outcome } from '../state/evaluation';
import { mean, scoreDifference } from '../evaluation/scores';
import type { BestVersionSelection } from '../spec/spec';
import type { ReflectionVersion } from '../state/loop-state';

const RANK: Record<Outcome, number> = { pass: 2, fail: 1, inconclusive: 0 };

/** How much a version's score is worth after each later iteration, under `weighted_recency`. */
const RECENCY_DECAY = 0.9;

function checksPassed(version: ReflectionVersion): number {
  return mean(version.evaluation.evaluators.flatMap((evaluator) => evaluator.checksPassed ?? []));
}

/** Positive when the first is better: by outcome, then score, then share of checks passed. */
function compareQuality(first: ReflectionVersion, second: ReflectionVersion, decay: number): number {
  const byOutcome = RANK[first.evaluation.outcome] - RANK[second.evaluation.outcome];
  if (byOutcome !== 0) return byOutcome;
  const later = Math.max(first.iteration, second.iteration);
  const scoreOf = (version: ReflectionVersion): number =>
    (version.evaluation.overallScore ?? 0) * decay ** (later - version.iteration);
  return scoreOf(first) - scoreOf(second) || checksPassed(first) - checksPassed(second);
}

/** Differences of scores up to this much are a judge's noise. */
const JUDGE_NOISE = 0.02;

/** True when a version is worse than another, by its outcome or by more than a judge's noise. */
export function isWorse(version: ReflectionVersion, other: ReflectionVersion): boolean {
  const byOutcome = RANK[version.evaluation.outcome] - RANK[other.evaluation.outcome];
  if (byOutcome !== 0) return byOutcome < 0;
  const score = version.evaluation.overallScore ?? 0;
  const otherScore = other.evaluation.overallScore ?? 0;
  if (Math.abs(scoreDifference(score, otherScore)) > JUDGE_NOISE) return score < otherScore;
  return score === otherScore && checksPassed(version) < checksPassed(other);
}

/**
 * The better of the best version so far and a later one. Every rule can be applied one version at a time, so a loop of any
 * length needs to keep only one candidate. On a tie the earlier iteration stays.
 */
export function betterVersion(
  best: ReflectionVersion | undefined,
  candidate: ReflectionVersion,
  selection: BestVersionSelection,
): ReflectionVersion {
  if (!best) return candidate;
  if (selection === 'latest') return candidate;
  if (selection === 'first_satisfactory' && best.evaluation.satisfactory) return best;
  const decay = selection === 'weighted_recency' ? RECENCY_DECAY : 1;
  return compareQuality(candidate, best, decay) > 0 ? candidate : best;
}

/** Those whose outputs are still here: a chain of runs leaves some of them behind. */
export function wholeVersions(versions: readonly ReflectionVersion[]): ReflectionVersion[] {
  return versions.filter(({ omittedBytes }) => omittedBytes === undefined);
}

/** The best of several versions, in the order of their iterations; undefined for none. */
export function selectBest(
  versions: readonly ReflectionVersion[],
  selection: BestVersionSelection,
): ReflectionVersion | undefined {
  return versions.reduce<ReflectionVersion | undefined>(
    (best, version) => betterVersion(best, version, selection),
    undefined,
  );
}
