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
 * Follows docs/ranking.md: positive if the first is better. `decay`: the share of a score that each later iteration leaves;
 * `noise`: differences of scores that do not count.
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

/** Whether a version is worse than another, and not only by a judge's noise. */
export function isWorse(version: ReflectionVersion, other: ReflectionVersion): boolean {
  return compareVersions(version, other, { noise: JUDGE_NOISE }) < 0;
}

/** A loop of any length keeps one candidate. On a tie the earlier stays. `latest`: the latest that failed no gate, if there is one. */
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

/** The versions whose outputs are still here: a chain of runs does not pass all of them on. */
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
