import type { Outcome } from '../contract/evaluation';
import { scoreDifference } from '../evaluation/scores';
import type { BestVersionSelection } from '../contract/loop-options';
import type { ReflectionVersion } from '../state/loop-state';
import { failsGate, rankOf } from './ranking';
import type { Ranking } from '../contract/results';

const OUTCOMES: Record<Outcome, number> = { pass: 2, fail: 1, inconclusive: 0 };

const RECENCY_DECAY = 0.9;

/** Compares two versions by their checks: a check that could not judge ranks between one that passed and one that failed. */
function compareChecks(first: Ranking, second: Ranking): number {
  return (
    second.failedGates.length - first.failedGates.length ||
    second.failedChecks.length - first.failedChecks.length ||
    second.unjudgedChecks - first.unjudgedChecks
  );
}

/**
 * Compares two versions by the order in docs/ranking.md: positive if the first is better, 0 if neither is. By gates that
 * failed, then by checks without a model, outcome, score, share of checks passed, and issues weighed by severity.
 *
 * @param decay how much of a score each later iteration leaves
 * @param noise scores that differ by at most this much are neither better nor worse
 */
export function compareVersions(
  first: ReflectionVersion,
  second: ReflectionVersion,
  { decay = 1, noise = 0 }: { decay?: number; noise?: number } = {},
): number {
  const [a, b] = [rankOf(first), rankOf(second)];
  const byChecks = compareChecks(a, b);
  if (byChecks !== 0) return byChecks;
  const byOutcome = OUTCOMES[first.evaluation.outcome] - OUTCOMES[second.evaluation.outcome];
  if (byOutcome !== 0) return byOutcome;
  const later = Math.max(first.iteration, second.iteration);
  const scoreOf = ({ iteration, evaluation }: ReflectionVersion): number =>
    (evaluation.overallScore ?? 0) * decay ** (later - iteration);
  const [score, other] = [scoreOf(first), scoreOf(second)];
  if (score !== other) return noise > 0 && Math.abs(scoreDifference(score, other)) <= noise ? 0 : score - other;
  return a.checksPassed - b.checksPassed || b.issueWeight - a.issueWeight;
}

const JUDGE_NOISE = 0.02;

/** Returns whether a version is worse than another, and not only by a judge's noise. */
export function isWorse(version: ReflectionVersion, other: ReflectionVersion): boolean {
  return compareVersions(version, other, { noise: JUDGE_NOISE }) < 0;
}

/**
 * Returns the better of the best version so far and a later one. A loop of any length keeps only this one candidate, and
 * compares it with each new version. On a tie the earlier iteration stays. `latest` means the latest version that failed no
 * gate, as long as there is one.
 */
export function betterVersion(
  best: ReflectionVersion | undefined,
  candidate: ReflectionVersion,
  selection: BestVersionSelection,
): ReflectionVersion {
  if (!best) return candidate;
  if (selection === 'latest') {
    const mayStay = failsGate(candidate) && !failsGate(best);
    return mayStay ? best : candidate;
  }
  if (selection === 'first_satisfactory' && best.evaluation.satisfactory) return best;
  const decay = selection === 'weighted_recency' ? RECENCY_DECAY : 1;
  return compareVersions(candidate, best, { decay }) > 0 ? candidate : best;
}

/** Returns the versions whose outputs are still here: a chain of runs does not pass all of them on. */
export function wholeVersions(versions: readonly ReflectionVersion[]): ReflectionVersion[] {
  return versions.filter(({ omittedBytes }) => omittedBytes === undefined);
}

/** Versions are in the order of their iterations. `finalOf` in `result.ts` decides which one a run returns. */
export function selectBest(
  versions: readonly ReflectionVersion[],
  selection: BestVersionSelection,
): ReflectionVersion | undefined {
  return versions.reduce<ReflectionVersion | undefined>(
    (best, version) => betterVersion(best, version, selection),
    undefined,
  );
}
