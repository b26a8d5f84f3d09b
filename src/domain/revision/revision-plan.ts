import { attemptsOf, lineageIssues, recentVersions } from '../versions/attempts';
import type { Issue } from '../state/evaluation';
import { issueKey } from '../state/issues';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
import { isWorse, selectBest, wholeVersions } from '../versions/selection';
import type { RevisionMethod } from '../spec/spec';
import { chooseStrategy } from './strategies';

/** What the next revision starts from, and what it is asked to do. */
export interface RevisionPlan {
  base: ReflectionVersion;
  /** True when the latest version was worse and is left behind. */
  reverted: boolean;
  /** What is wrong with the base. */
  issues: Issue[];
  /** What was found wrong with versions that the base came from, and was not reported of the base itself. */
  earlierIssues: Issue[];
  strategy: RevisionMethod;
}

/** Earlier issues that a prompt repeats at most. */
const MAXIMUM_EARLIER_ISSUES = 20;

/** What a revision starts from: the latest version, unless it is worse than the best one. */
export function revisionBase(state: LoopState): ReflectionVersion | undefined {
  const last = state.versions.at(-1);
  const best = selectBest(wholeVersions(state.versions), 'highest_score');
  // An output that a chain of runs left behind cannot be revised; the best one always travels.
  return best && last && isWorse(last, best) ? best : last;
}

/** Undefined before there is a version to revise. */
export function planRevision({ revision }: Pick<LoopSettings, 'revision'>, state: LoopState): RevisionPlan | undefined {
  const base = revisionBase(state);
  if (!base) return undefined;
  const recent = recentVersions(state.versions);
  const { issues } = base.evaluation;
  const known = new Set(issues.map(issueKey));
  const lineage = lineageIssues(base, recent);
  const earlierIssues = lineage.filter((issue) => !known.has(issueKey(issue))).slice(0, MAXIMUM_EARLIER_ISSUES);
  return {
    base,
    reverted: base !== state.versions.at(-1),
    issues,
    earlierIssues,
    // An edit that did not apply is not tried again.
    strategy: chooseStrategy(state.unappliedEdit ? 'full_rewrite' : revision.strategy, {
      issues: [...issues, ...earlierIssues],
      attempts: attemptsOf(state.versions),
    }),
  };
}
