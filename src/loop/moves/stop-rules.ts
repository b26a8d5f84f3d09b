import { attemptsOf, recentVersions } from '../versions/attempts';
import type { ConvergenceReason } from '../base/convergence';
import { blockingIssues } from '../evaluation/blockers';
import { issueIdentity, SCORE_TYPE } from '../state/evaluation';
import type { ConvergenceSettings, LoopSettings } from '../state/loop-settings';
import { scoreDifference } from '../evaluation/scores';
import { isSettled } from '../state/success';
import { rankOf } from '../versions/ranking';
import { selectBest } from '../versions/selection';
import { textOf } from '../../lib/json/json';
import { roughSimilarity } from '../../lib/text/similarity';
import type { ReflectionVersion } from '../state/loop-state';

/** The input of the rules. The last version was evaluated and did not pass. */
interface StopContext {
  versions: readonly ReflectionVersion[];
  /** The best version by the order of `highest_score` (docs/ranking.md), whatever the selection of the spec. */
  best: ReflectionVersion | undefined;
  last: ReflectionVersion;
  convergence: ConvergenceSettings;
  /** Only the strategy `hybrid` chooses; a custom corrector cannot be instructed to change its way. */
  choosesStrategy: boolean;
}

type StopRule = (context: StopContext) => boolean;

function lastScores(versions: readonly ReflectionVersion[], count: number): number[] {
  return versions.flatMap(({ evaluation }) => evaluation.overallScore ?? []).slice(-count);
}

function changes(scores: readonly number[]): number[] {
  return scores.slice(1).map((score, index) => scoreDifference(score, scores[index]!));
}

function isOnPlateau({ best, last, convergence }: StopContext): boolean {
  return best !== undefined && last.iteration - best.iteration >= convergence.plateauIterations;
}

/** The last four scores go up, down and up, or the reverse, and every second one stays within the threshold. */
function isOscillating({ versions, convergence }: StopContext): boolean {
  const scores = lastScores(versions, 4);
  if (!convergence.detectOscillation || scores.length < 4) return false;
  const [first, second, third] = changes(scores) as [number, number, number];
  const alternates = first * second < 0 && second * third < 0;
  const moves = (from: number, to: number): boolean =>
    Math.abs(scoreDifference(scores[to]!, scores[from]!)) >= convergence.improvementThreshold;
  return alternates && !moves(0, 2) && !moves(1, 3);
}

/** Whether each of the last `plateauIterations` changes of the score was a gain below the threshold. A drop is not a gain. */
function hasDiminishingGains({ versions, convergence }: StopContext): boolean {
  const scores = lastScores(versions, convergence.plateauIterations + 1);
  if (scores.length <= convergence.plateauIterations) return false;
  const small = (gain: number): boolean => gain > 0 && gain < convergence.improvementThreshold;
  return changes(scores).every(small);
}

const UNCHANGED_REVISIONS = 2;

/** Equal, or nearly so without an applied improvement and a gain: in a long text one changed word may be the whole fix. */
function isUnchanged(
  before: ReflectionVersion,
  after: ReflectionVersion,
  { convergence }: Pick<StopContext, 'convergence'>,
): boolean {
  if (before.omittedBytes !== undefined || after.omittedBytes !== undefined) return false;
  const [old, now] = [textOf(before.output), textOf(after.output)];
  if (old === now) return true;
  const [gain = 0] = changes(lastScores([before, after], 2));
  if (after.improvementsApplied.length > 0 || gain >= convergence.improvementThreshold) return false;
  return roughSimilarity(old, now) >= convergence.stabilityThreshold;
}

function isStable({ versions, ...context }: StopContext): boolean {
  const recent = versions.slice(-UNCHANGED_REVISIONS - 1);
  if (recent.length <= UNCHANGED_REVISIONS) return false;
  return recent.slice(1).every((version, index) => isUnchanged(recent[index]!, version, context));
}

function advances(before: ReflectionVersion, last: ReflectionVersion): boolean {
  return rankOf(last).issueWeight < rankOf(before).issueWeight;
}

/** All issues were given to `repeatedIssues` revisions, in more ways than one if it may choose; else it goes on while they weigh less. */
function hasRepeatedIssues(context: StopContext): boolean {
  const { versions, last, convergence, choosesStrategy } = context;
  const { issues } = last.evaluation;
  // A score that is too low may be rising: the rules about scores decide.
  if (issues.length === 0 || issues.some(({ type }) => type === SCORE_TYPE)) return false;
  const before = versions.at(-1 - convergence.repeatedIssues);
  if (
    before !== undefined &&
    advances(before, last) &&
    (!choosesStrategy || last.evaluation.overallScore === before.evaluation.overallScore)
  )
    return false;
  const attempts = attemptsOf(versions);
  return issues.every((issue) => {
    const asked = Object.values(attempts.get(issueIdentity(issue))?.asked ?? {});
    const times = asked.reduce((sum, count) => sum + count, 0);
    const ways = asked.filter((count) => count > 0).length;
    return times >= convergence.repeatedIssues && (ways > 1 || !choosesStrategy);
  });
}

/** Versions in a row that fail only for what no revision can repair, unconfirmed: one judge may be wrong. */
const BLOCKED_VERSIONS = 2;

function isUnrepairable({ evaluation }: ReflectionVersion): boolean {
  return blockingIssues(evaluation).length > 0;
}

/** That was confirmed for the last version, or the evaluators say it of the last two. */
function isBlocked({ versions }: Pick<StopContext, 'versions'>): boolean {
  const recent = versions.slice(-BLOCKED_VERSIONS);
  if (recent.at(-1)?.blocked?.confirmed) return true;
  return recent.length === BLOCKED_VERSIONS && recent.every(isUnrepairable);
}

/** The first rule that holds gives the reason: more specific rules stand before the plateau. */
const STOP_RULES = {
  blocked: isBlocked,
  stable: isStable,
  oscillation: isOscillating,
  plateau: isOnPlateau,
  diminishing: hasDiminishingGains,
  repeated_issues: hasRepeatedIssues,
} as const satisfies Partial<Record<ConvergenceReason, StopRule>>;

export const RULE_REASONS = Object.keys(STOP_RULES) as (keyof typeof STOP_RULES)[];

/** A spec can turn off all rules but `blocked`. */
export function convergedBecause(
  versions: readonly ReflectionVersion[],
  { convergence, choosesStrategy }: Pick<LoopSettings, 'convergence' | 'choosesStrategy'>,
): ConvergenceReason | undefined {
  const last = versions.at(-1);
  if (!last || last.evaluation.outcome === 'inconclusive') return undefined;
  // A blocked version ends the loop even if convergence is switched off.
  if (!convergence) return isBlocked({ versions }) ? 'blocked' : undefined;
  if (isSettled(last.evaluation, convergence)) return 'plateau';
  const context = {
    versions: recentVersions(versions, convergence.plateauIterations + 1),
    best: selectBest(versions, 'highest_score'),
    last,
    convergence,
    choosesStrategy,
  };
  return RULE_REASONS.find((reason) => STOP_RULES[reason](context));
}

export type StopRules = typeof convergedBecause;

/** A `convergedBecause` that remembers its last answer: a run may ask thousands of times about the same versions. */
export function rememberingRules(): StopRules {
  let asked: { versions: readonly ReflectionVersion[]; count: number; settings: unknown } | undefined;
  let found: ConvergenceReason | undefined;
  return (versions, settings) => {
    if (asked?.versions === versions && asked.count === versions.length && asked.settings === settings) return found;
    asked = { versions, count: versions.length, settings };
    found = convergedBecause(versions, settings);
    return found;
  };
}
