import { isAtCeiling, isModelOnly } from './flags';
import type { Preparation } from '../state/loop-settings';
import type { LoopState, PendingOutput } from '../state/loop-state';
import { evaluationOf } from './combine';
import { thresholdFor } from './relaxation';

/** The distance to the threshold within which another judge might have decided differently. */
const NEAR = 0.1;
const UNSURE = 0.7;
/** Decimal fractions do not subtract exactly. */
const TOLERANCE = 1e-9;

/**
 * Returns whether a second judge should evaluate an output: a judge passed it in spite of a grave issue, or only models
 * judged it and passed it narrowly, with little confidence, or, for a draft, at the ceiling.
 */
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
