import { decidesBy } from '../base/rules';
import type { BlockerCheck } from '../contract/blockers';
import { iterationLimit } from '../limits/limits';
import type { EvaluationTask } from '../state/evaluation-task';
import type { Verdict } from '../state/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import { currentIteration, type LoopState, type PendingOutput } from '../state/loop-state';
import type { ResolvedSpec } from '../state/resolved-spec';
import { omitUndefined } from '../../lib/base/defined';
import { blockerOf, type BlockingIssue, blockingIssues } from '../evaluation/blockers';
import { boundedText } from '../evaluation/bounded';
import { evaluationOf } from '../evaluation/combine';

/** The way in which it is confirmed that no revision can repair an output. */
export type CheckOfBlockers =
  /** The second judge of the spec judges the output, too. */
  | { kind: 'second_judge' }
  /** The model of the judge that reported the issues is asked the opposite question. */
  | { kind: 'question'; task: EvaluationTask; issues: BlockingIssue[] };

const MOST_ASKED = 10;
const ASKED_CHARACTERS = 1_000;
const REASON_CHARACTERS = 1_000;

function asksModel({ local, asksModel: asks }: EvaluatorPlan): boolean {
  return !local && asks !== false;
}

function takesQuestion({ evaluator: { type } }: EvaluationTask): boolean {
  return type === 'llm' || type === 'criteria';
}

/** Returns whether the loop goes on, or ends, whatever a check of the latest output finds. */
function isSettled({ settings }: Pick<ResolvedSpec, 'settings'>, state: LoopState): boolean {
  const last = state.versions.at(-1);
  // Two such versions in a row end the loop without a check.
  const isSecond = last !== undefined && blockingIssues(last.evaluation).length > 0;
  const isGuided = (state.guidance?.length ?? 0) > 0;
  return isSecond || isGuided || currentIteration(state) >= iterationLimit(settings, state);
}

/**
 * Decides how to confirm that no revision can repair an output, before one is paid for. What evaluators without a model report needs no
 * confirmation (`reported`). Undefined if there is nothing to confirm, or nothing depends on it; by older rules always.
 */
export function chooseBlockerCheck(
  { settings, evaluators, second, tasks }: Pick<ResolvedSpec, 'settings' | 'evaluators' | 'second' | 'tasks'>,
  state: LoopState,
  pending: PendingOutput,
): CheckOfBlockers | { kind: 'reported' } | undefined {
  if (!decidesBy(state.rules, 3)) return undefined;
  const serious = blockingIssues(evaluationOf(pending, evaluators));
  if (serious.length === 0) return undefined;
  const judges = new Set(evaluators.filter(asksModel).map(({ name }) => name));
  const byJudges = serious.filter(({ evaluator }) => judges.has(evaluator));
  if (byJudges.length === 0) return { kind: 'reported' };
  if (isSettled({ settings }, state)) return undefined;
  if (second) return { kind: 'second_judge' };
  const task = tasks.find(
    (each) => takesQuestion(each) && byJudges.some(({ evaluator }) => evaluator === each.plan.name),
  );
  const issues = byJudges.slice(0, MOST_ASKED).map((issue) =>
    omitUndefined({
      blocker: blockerOf(issue)!,
      message: boundedText(issue.message, ASKED_CHARACTERS),
      suggestion: issue.suggestion && boundedText(issue.suggestion, ASKED_CHARACTERS),
    }),
  );
  return task && { kind: 'question', task, issues };
}

/** Returns the finding of the second judge: it agrees if it rejects the output, too, for nothing that a revision can repair. */
export function findingOfSecondJudge(
  { evaluators, second }: Pick<ResolvedSpec, 'evaluators' | 'second'>,
  pending: PendingOutput,
): BlockerCheck {
  const verdict = pending.verdicts[evaluators.length];
  const confirmed = verdict !== undefined && blockingIssues(verdict).length > 0;
  return omitUndefined({ confirmed, by: second?.name, reason: shortReason(verdict) });
}

/** Returns the finding of a judge that was asked whether a revision can repair the output: a fail says that none can. */
export function findingOfQuestion({ plan }: EvaluationTask, verdict: Verdict): BlockerCheck {
  return omitUndefined({ confirmed: verdict.outcome === 'fail', by: plan.name, reason: shortReason(verdict) });
}

function shortReason({ reason }: Partial<Verdict> = {}): string | undefined {
  return reason === undefined ? undefined : boundedText(reason, REASON_CHARACTERS);
}
