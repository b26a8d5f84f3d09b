import type { Issue } from './evaluation';

/** Two issues are the same when their text, case and spacing aside, and their path are. */
export function issueKey(issue: Issue): string {
  return `${issue.path ?? ''}\n${issue.message.toLowerCase().replace(/\s+/g, ' ').trim()}`;
}

/** The messages of those issues that are no longer there. */
export function resolvedIssues(before: readonly Issue[], after: readonly Issue[]): string[] {
  const remaining = new Set(after.map(issueKey));
  return before.filter((issue) => !remaining.has(issueKey(issue))).map((issue) => issue.message);
}
