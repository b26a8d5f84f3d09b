import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';
import { EVALUATION_ROUNDS } from './next-move';

/** Indexes of the evaluators that have yet to judge, or that could not and might. None once a gate failed. */
export function evaluatorsToAsk(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): number[] {
  if (pending.faults || gateFailed(pending, evaluators)) return [];
  return evaluators.flatMap((_, index) => {
    const verdict = pending.verdicts[index];
    return !verdict || (verdict.outcome === 'inconclusive' && !verdict.broken) ? [index] : [];
  });
}

/** Returns whether a gate found that the output fails. */
export function gateFailed(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return evaluators.some((evaluator, index) => evaluator.gate && pending.verdicts[index]?.outcome === 'fail');
}

/** Returns whether another round would ask a judge that could not judge, and one is left. */
export function mayAskAgain(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return pending.rounds < EVALUATION_ROUNDS && evaluatorsToAsk(pending, evaluators).length > 0;
}
