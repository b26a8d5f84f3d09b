import { digest } from '../../lib/base/hash';
import { oneLine } from '../../lib/text/summary-text';
import { issueIdentity } from '../state/evaluation';
import { bestSoFar, type LoopState } from '../state/loop-state';
import type { ReflectionSpec } from '../contract/spec';
import { hasSucceeded } from '../state/success';
import { renderCount } from '../../lib/text/counted';

interface LoopInsight {
  text: string;
  /** 0..1. */
  importance: number;
  /** The kind of the insight, which distinguishes insights of one iteration; the same text has the same kind. */
  kind: string;
}

const IMPORTANCE = { failed: 0.85, mended: 0.7 };
const ISSUES = 5;
const ISSUE_LENGTH = 200;
const SUBJECT_LENGTH = 200;

function joinIssues(messages: readonly string[]): string {
  return [...new Set(messages)]
    .slice(0, ISSUES)
    .map((message) => oneLine(message, ISSUE_LENGTH))
    .join('; ');
}

/** The issues that it fixed, and those that it could not fix. A loop that passed at once, or that a person aborted, has none. */
export function listLoopInsights(spec: Pick<ReflectionSpec, 'name' | 'task'>, state: LoopState): LoopInsight[] {
  const { versions, stopped } = state;
  const last = versions.at(-1);
  if (!stopped || !last || stopped.reason === 'aborted') return [];
  const subject = oneLine(spec.name ?? spec.task ?? 'a loop', SUBJECT_LENGTH);
  const success = hasSucceeded(state);
  const open = new Set(success ? [] : last.evaluation.issues.map(issueIdentity));
  const mended = versions
    .slice(0, success ? -1 : undefined)
    .flatMap(({ evaluation }) => evaluation.issues.filter((issue) => !open.has(issueIdentity(issue))))
    .map(({ message }) => message);
  if (success && mended.length === 0) return [];
  // A later version that was worse than the best one does not show which issues are left.
  const { issues, reason = '' } = (bestSoFar(state) ?? last).evaluation;
  const why = joinIssues(issues.map(({ message }) => message)) || oneLine(reason, ISSUE_LENGTH);
  const text = success
    ? `"${subject}": earlier versions were refused for these reasons, which the version that passed avoids: ${joinIssues(mended)}`
    : `"${subject}": not good enough after ${renderCount(last.iteration, 'version')} (${stopped.reason})${why === '' ? '' : `; still wrong: ${why}`}`;
  return [{ text, importance: success ? IMPORTANCE.mended : IMPORTANCE.failed, kind: `loop/${digest(text)}` }];
}
