import type { Issue } from './evaluation';

/** Begins the `type` of an issue that stands for a question which a judge answered with no. */
export const QUESTION_TYPE = 'question: ';

/** The `type` of an issue that says nothing but that a score is too low: the number in its text is another each time. */
export const SCORE_TYPE = 'score';

/**
 * Two issues are the same when their text, case and spacing aside, and their path are; two answers to a question are, however
 * the judge put it this time, and two scores of an evaluator that are too low.
 */
export function issueKey(issue: Issue): string {
  if (issue.type?.startsWith(QUESTION_TYPE)) return `${issue.criterion ?? ''}\n${issue.type}`;
  if (issue.type === SCORE_TYPE) return `${issue.evaluator}\n${issue.criterion ?? ''}\n${SCORE_TYPE}`;
  return `${issue.path ?? ''}\n${issue.message.toLowerCase().replace(/\s+/g, ' ').trim()}`;
}

/** The messages of those issues that are no longer there. */
export function resolvedIssues(before: readonly Issue[], after: readonly Issue[]): string[] {
  const remaining = new Set(after.map(issueKey));
  return before.filter((issue) => !remaining.has(issueKey(issue))).map((issue) => issue.message);
}

/** The issues without doubles, in order; of doubles the first stays. */
export function distinctIssues(issues: readonly Issue[]): Issue[] {
  const byKey = new Map<string, Issue>();
  for (const issue of issues) if (!byKey.has(issueKey(issue))) byKey.set(issueKey(issue), issue);
  return [...byKey.values()];
}
