import { isSerious } from './scores';
import { asksModel } from './flags';
import type { EvaluatorPlan, LoopSettings } from '../state/loop-settings';
import type { LoopState, PendingOutput, ReflectionVersion } from '../state/loop-state';
import { setThreshold } from '../state/notes';

/** The digits to which a threshold is rounded: decimal fractions do not add up exactly. */
const DIGITS = 6;

/** Whether nothing but its score kept a version from passing: no serious issue, no gate or check that failed. */
export function onlyScoreFailed(
  { evaluation }: ReflectionVersion,
  plans: readonly EvaluatorPlan[],
  threshold: number,
): boolean {
  const { outcome, issues, evaluators } = evaluation;
  if (outcome !== 'fail') return false;
  if (issues.some(isSerious)) return false;
  return evaluators.every(({ name, outcome: said, score }) => {
    if (said === 'pass') return true;
    const plan = plans.find((each) => each.name === name);
    const isJudge = plan !== undefined && !plan.gate && asksModel(plan);
    // A judge that fails an output with a sufficient score fails it for another reason.
    return said === 'fail' && isJudge && score !== null && score < threshold;
  });
}

function nextThreshold(
  { qualityThreshold, relaxation }: LoopSettings,
  last: ReflectionVersion | undefined,
  plans: readonly EvaluatorPlan[],
): number {
  const before = last?.qualityThreshold ?? qualityThreshold;
  if (!relaxation || !last || !onlyScoreFailed(last, plans, before)) return before;
  const { step, floor } = relaxation;
  return Math.min(before, Math.max(floor, Number((before - step).toFixed(DIGITS))));
}

export function thresholdFor({ qualityThreshold }: LoopSettings, pending: PendingOutput): number {
  return pending.qualityThreshold ?? qualityThreshold;
}

/** Sets the threshold of the output that waits to be judged, where the spec relaxes it, and has its version say so. */
export function lowerThreshold(state: LoopState, settings: LoopSettings, plans: readonly EvaluatorPlan[]): void {
  const { pending } = state;
  if (!settings.relaxation || !pending || pending.qualityThreshold !== undefined) return;
  const threshold = nextThreshold(settings, state.versions.at(-1), plans);
  if (threshold >= settings.qualityThreshold) return;
  const warning = `judged by a threshold of ${threshold}, lowered from ${settings.qualityThreshold} because nothing but the score had failed`;
  setThreshold(pending, threshold, warning);
}
