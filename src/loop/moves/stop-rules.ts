import { attemptsOf, recentVersions } from '../versions/attempts';
import type { ConvergenceReason } from '../base/convergence';
import { issueKey, SCORE_TYPE } from '../state/evaluation';
import type { ConvergenceSettings, LoopSettings } from '../state/loop-settings';
import { scoreDifference } from '../evaluation/scores';
import { decidesBy, type Rules } from '../base/rules';
import { rankOf } from '../versions/ranking';
import { selectBest } from '../versions/selection';
import { textOf } from '../../lib/json/json';
import { roughSimilarity } from '../../lib/text/similarity';
import type { ReflectionVersion } from '../state/loop-state';

/** The input of the rules. The last version is judged, and did not pass. */
interface StopContext {
  /** The latest ones, at least as many as the rules count. */
  versions: readonly ReflectionVersion[];
  /** The best of all. */
  best: ReflectionVersion | undefined;
  last: ReflectionVersion;
  convergence: ConvergenceSettings;
  /** `hybrid` can change its way of revising; the others cannot, nor can a custom corrector be instructed to. */
  choosesStrategy: boolean;
  rules: Rules;
}

/** Returns whether the loop should stop. */
type StopRule = (context: StopContext) => boolean;

/** Scores of the latest versions that have one, in order. */
function lastScores(versions: readonly ReflectionVersion[], count: number): number[] {
  return versions.flatMap(({ evaluation }) => evaluation.overallScore ?? []).slice(-count);
}

/** Computes the differences between neighbours. */
function changes(scores: readonly number[]): number[] {
  return scores.slice(1).map((score, index) => scoreDifference(score, scores[index]!));
}

/**
 * Returns whether no version was better than the best for so many iterations. Measured on quality, whatever the selection
 * returns.
 */
function isOnPlateau({ best, last, convergence }: StopContext): boolean {
  return best !== undefined && last.iteration - best.iteration >= convergence.plateauIterations;
}

/**
 * Returns whether scores go up, down, up (or the other way round) over four versions, while neither the ups nor the downs get
 * anywhere.
 */
function isOscillating({ versions, convergence }: StopContext): boolean {
  const scores = lastScores(versions, 4);
  if (!convergence.detectOscillation || scores.length < 4) return false;
  const [first, second, third] = changes(scores) as [number, number, number];
  const alternates = first * second < 0 && second * third < 0;
  const moves = (from: number, to: number): boolean =>
    Math.abs(scoreDifference(scores[to]!, scores[from]!)) >= convergence.improvementThreshold;
  return alternates && !moves(0, 2) && !moves(1, 3);
}

/** Returns whether each of the last changes of the score was a gain below the threshold. A drop is not a small gain. */
function hasDiminishingGains({ versions, convergence }: StopContext): boolean {
  const scores = lastScores(versions, convergence.plateauIterations + 1);
  if (scores.length <= convergence.plateauIterations) return false;
  const small = (gain: number): boolean => gain > 0 && gain < convergence.improvementThreshold;
  return changes(scores).every(small);
}

/** Revisions that change nothing, in a row. One may be bad luck; the next is made in another way. */
const UNCHANGED_REVISIONS = 2;

/**
 * Returns whether a version is the same as before. One word of a long text may be all that was to be changed, so a text that
 * is not quite the same must have gained nothing.
 */
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

/** Returns whether the text no longer changes, and still fails. */
function isStable({ versions, ...context }: StopContext): boolean {
  const recent = versions.slice(-UNCHANGED_REVISIONS - 1);
  if (recent.length <= UNCHANGED_REVISIONS) return false;
  return recent.slice(1).every((version, index) => isUnchanged(recent[index]!, version, context));
}

/** Returns whether a version has fewer issues than an earlier one: by severity, or by number under older rules. */
function advances(before: ReflectionVersion, last: ReflectionVersion, rules: Rules): boolean {
  if (decidesBy(rules, 2)) return rankOf(last).issueWeight < rankOf(before).issueWeight;
  return last.evaluation.issues.length < before.evaluation.issues.length;
}

/** Returns whether nothing but its issues shows that a version is better than an earlier one, by rules 2. */
function isOnlySign(
  { evaluation: before }: ReflectionVersion,
  { evaluation }: ReflectionVersion,
  rules: Rules,
): boolean {
  return decidesBy(rules, 2) && evaluation.overallScore === before.overallScore;
}

/**
 * Returns whether every remaining issue has been addressed at least `repeatedIssues` times, in more than one way if the
 * loop may choose. If it may not choose, or if the score has not changed (rules 2), the loop goes on while the issues
 * become fewer.
 */
function repeatedIssues(context: StopContext): boolean {
  const { versions, last, convergence, choosesStrategy, rules } = context;
  const { issues } = last.evaluation;
  // A score that is too low has rules of its own: it may be rising.
  if (issues.length === 0 || issues.some(({ type }) => type === SCORE_TYPE)) return false;
  const before = versions.at(-1 - convergence.repeatedIssues);
  if (before !== undefined && advances(before, last, rules) && (!choosesStrategy || isOnlySign(before, last, rules)))
    return false;
  const attempts = attemptsOf(versions);
  return issues.every((issue) => {
    const asked = Object.values(attempts.get(issueKey(issue))?.asked ?? {});
    const times = asked.reduce((sum, count) => sum + count, 0);
    const ways = asked.filter((count) => count > 0).length;
    return times >= convergence.repeatedIssues && (ways > 1 || !choosesStrategy);
  });
}

/**
 * Number of consecutive versions that must fail only for missing information. One is not enough: the judge may be wrong, or
 * the writer may know the answer.
 */
const BLOCKED_VERSIONS = 2;

/** Returns whether a version fails only because information is missing that no revision can bring. */
function lacksInformation({ evaluation: { outcome, issues } }: ReflectionVersion): boolean {
  const serious = issues.filter(({ severity }) => severity !== 'minor');
  return outcome === 'fail' && serious.length > 0 && serious.every(({ missingInformation }) => missingInformation);
}

/** Returns whether no revision can fix the version: one was tried, and every serious issue is still a lack of information. */
function isBlocked({ versions }: Pick<StopContext, 'versions'>): boolean {
  const recent = versions.slice(-BLOCKED_VERSIONS);
  return recent.length === BLOCKED_VERSIONS && recent.every(lacksInformation);
}

/**
 * In order: the first that holds is the reason. A text that no longer changes is on a plateau, too, and so are scores that
 * only go up and down; their own reasons say more.
 */
const STOP_RULES = {
  blocked: isBlocked,
  stable: isStable,
  oscillation: isOscillating,
  plateau: isOnPlateau,
  diminishing: hasDiminishingGains,
  repeated_issues: repeatedIssues,
} as const satisfies Partial<Record<ConvergenceReason, StopRule>>;

/** Reasons that are read from versions, and their outputs, alone. */
export const RULE_REASONS = Object.keys(STOP_RULES) as (keyof typeof STOP_RULES)[];

/** Returns why a loop that is not satisfied should stop, by the rules that its spec leaves on. */
export function convergedBecause(
  versions: readonly ReflectionVersion[],
  { convergence, choosesStrategy }: Pick<LoopSettings, 'convergence' | 'choosesStrategy'>,
  rules?: Rules,
): ConvergenceReason | undefined {
  const last = versions.at(-1);
  if (!last || last.evaluation.outcome === 'inconclusive') return undefined;
  // A blocked version ends the loop even if convergence is switched off.
  if (!convergence) return isBlocked({ versions }) ? 'blocked' : undefined;
  const context = {
    versions: recentVersions(versions, convergence.plateauIterations + 1),
    best: selectBest(versions, 'highest_score', rules),
    last,
    convergence,
    choosesStrategy,
    rules,
  };
  return RULE_REASONS.find((reason) => STOP_RULES[reason](context));
}

export type StopRules = typeof convergedBecause;

/** Returns the rules for a run, which may ask thousands of times about the same versions: they are evaluated once. */
export function rememberingRules(): StopRules {
  let asked: { versions: readonly ReflectionVersion[]; count: number; settings: unknown } | undefined;
  let found: ConvergenceReason | undefined;
  return (versions, settings, rules) => {
    if (asked?.versions === versions && asked.count === versions.length && asked.settings === settings) return found;
    asked = { versions, count: versions.length, settings };
    found = convergedBecause(versions, settings, rules);
    return found;
  };
}
