import type { IssueAttempts } from '../versions/attempts';
import type { Issue, Severity } from '../state/evaluation';
import { issueKey } from '../state/issues';
import { REVISION_METHODS } from '../base/choices';
import type { RevisionMethod, RevisionStrategy } from '../spec/spec';

/** What `hybrid` chooses from. */
export interface StrategyChoice {
  /** What the revision is asked to fix. */
  issues: readonly Issue[];
  /** By issue key. */
  attempts: ReadonlyMap<string, IssueAttempts>;
}

/** More issues than this are not a handful of places to edit. */
const MANY_ISSUES = 6;

const WEIGHTS: Record<Severity, number> = { minor: 1, major: 2, critical: 3 };

/** True when a single place cannot hold all that is wrong: the output is not what it should be as a whole. */
function concernsTheWhole(issue: Issue): boolean {
  return issue.path === '' && issue.severity !== 'minor' && issue.type === 'json';
}

/**
 * What a way of revising costs before anything is known of how it works here, in issues that fail to go away. Edits leave
 * what is right as it is; a rewrite puts all of it at risk, unless there is nothing to point at.
 */
function priorCosts(issues: readonly Issue[]): Record<RevisionMethod, number> {
  if (issues.length === 0 || issues.some(concernsTheWhole)) {
    return { full_rewrite: 0, incremental: 1, targeted_edit: 2 };
  }
  const many = issues.length > MANY_ISSUES;
  const spread = new Set(issues.map(({ path }) => path ?? '')).size > MANY_ISSUES;
  return { targeted_edit: many ? 0.5 : 0, incremental: many ? 0 : 0.25, full_rewrite: many && spread ? 0.5 : 1 };
}

/** A way that failed on an issue is half as likely to fix it at each further attempt. */
function expectedFailures(method: RevisionMethod, { issues, attempts }: StrategyChoice): number {
  return issues.reduce((sum, issue) => {
    const failed = attempts.get(issueKey(issue))?.failed[method] ?? 0;
    return sum + WEIGHTS[issue.severity ?? 'minor'] * (1 - 0.5 ** failed);
  }, 0);
}

/**
 * How the next version is made. `hybrid` takes the way with the least expected cost: by the number and spread of the issues at
 * first, and once a way has failed on the same issues, another one. The others are what they say.
 */
export function chooseStrategy(wanted: RevisionStrategy, choice: StrategyChoice): RevisionMethod {
  if (wanted !== 'hybrid') return wanted;
  const prior = priorCosts(choice.issues);
  const cost = (method: RevisionMethod): number => prior[method] + expectedFailures(method, choice);
  return REVISION_METHODS.reduce((best, method) => (cost(method) < cost(best) - 1e-9 ? method : best));
}
