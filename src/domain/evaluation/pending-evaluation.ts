import { boundedEvaluation } from './bounded';
import { combineVerdicts } from './combine';
import type { ReflectionEvaluation } from '../state/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';

/** The evaluation that the verdicts on an output make, so far. */
export function evaluationOf(pending: PendingOutput, plans: readonly EvaluatorPlan[]): ReflectionEvaluation {
  const weights = new Map(plans.map((plan, index) => [pending.verdicts[index], plan.weight]));
  const verdicts = pending.verdicts
    .slice(0, plans.length)
    .filter((verdict) => verdict !== undefined && verdict !== null);
  return boundedEvaluation(combineVerdicts(verdicts, (verdict) => weights.get(verdict) ?? 1));
}
