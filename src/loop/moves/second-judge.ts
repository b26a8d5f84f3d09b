import type { BlockerCheck } from '../contract/blockers';
import { omitUndefined } from '../../lib/base/defined';
import { blockingIssues } from '../evaluation/blockers';
import { boundedText } from '../evaluation/bounded';
import { evaluationOf } from '../evaluation/combine';
import { asksModel, isAtCeiling, isModelOnly } from '../evaluation/flags';
import { iterationLimit } from '../limits/budget';
import { currentIteration, type LoopState, type PendingOutput } from '../state/loop-state';
import type { ResolvedSpec } from '../state/resolved-spec';
import type { Preparation } from '../state/loop-settings';
import { thresholdFor } from '../evaluation/relaxation';

const REASON_CHARACTERS = 1_000;

/** Whether the loop goes on, or ends, whatever a second judge says of the latest output. */
function isDecided({ settings }: Pick<ResolvedSpec, 'settings'>, state: LoopState): boolean {
  const last = state.versions.at(-1);
  // Two such versions in a row end the loop without a second judge.
  const isSecond = last !== undefined && blockingIssues(last.evaluation).length > 0;
  const isGuided = (state.guidance?.length ?? 0) > 0;
  return isSecond || isGuided || currentIteration(state) >= iterationLimit(settings, state);
}

/** Decides before a revision is paid for; `reported`: an evaluator without a model says it. Undefined if nothing depends on it. */
export function chooseBlockerCheck(
  { settings, evaluators, second }: Pick<ResolvedSpec, 'settings' | 'evaluators' | 'second'>,
  state: LoopState,
  pending: PendingOutput,
): 'reported' | 'second_judge' | undefined {
  const serious = blockingIssues(evaluationOf(pending, evaluators));
  if (serious.length === 0) return undefined;
  const judges = new Set(evaluators.filter(asksModel).map(({ name }) => name));
  if (!serious.some(({ evaluator }) => judges.has(evaluator))) return 'reported';
  return second && !isDecided({ settings }, state) ? 'second_judge' : undefined;
}

/** The second judge agrees if it rejects the output, too, for nothing that a revision can repair. */
export function findingOfSecondJudge(
  { evaluators, second }: Pick<ResolvedSpec, 'evaluators' | 'second'>,
  pending: PendingOutput,
): BlockerCheck {
  const verdict = pending.verdicts[evaluators.length];
  const confirmed = verdict !== undefined && blockingIssues(verdict).length > 0;
  const reason = verdict?.reason === undefined ? undefined : boundedText(verdict.reason, REASON_CHARACTERS);
  return omitUndefined({ confirmed, by: second?.name, reason });
}

/** The distance to the threshold within which another judge might have decided differently. */
const NEAR = 0.1;
const UNSURE = 0.7;
/** Decimal fractions do not subtract exactly. */
const TOLERANCE = 1e-9;

/** A pass in spite of a grave issue, or by models only: narrowly, with little confidence, or, for a draft, at the ceiling. */
export function isDoubtfulPass(
  { settings, evaluators }: Pick<Preparation, 'settings' | 'evaluators'>,
  state: LoopState,
  pending: PendingOutput,
): boolean {
  const evaluation = evaluationOf(pending, evaluators);
  if (evaluation.outcome !== 'pass') return false;
  // Whether other evaluators passed the output does not matter: they did not see the issue that this judge reports.
  if (pending.verdicts.some((verdict) => verdict?.unsure)) return true;
  if (!isModelOnly(evaluators)) return false;
  const { overallScore, confidence } = evaluation;
  const isDraft = pending.origin === 'draft' && state.versions.length === 0;
  const near = overallScore === null || Math.abs(overallScore - thresholdFor(settings, pending)) <= NEAR + TOLERANCE;
  return near || confidence < UNSURE || (isDraft && isAtCeiling(evaluation));
}
