import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';
import { EVALUATION_ROUNDS } from './next-move';

/**
 * Returns the indexes of the evaluators to ask: those that have not judged yet, and those that could not and may be asked
 * again. None after a gate has failed, or if the output has faults that no evaluator needs to judge.
 */
export function evaluatorsToAsk(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): number[] {
  if (pending.faults || gateFailed(pending, evaluators)) return [];
  return evaluators.flatMap((_, index) => {
    const verdict = pending.verdicts[index];
    return !verdict || (verdict.outcome === 'inconclusive' && !verdict.broken) ? [index] : [];
  });
}

export function gateFailed(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return evaluators.some((evaluator, index) => evaluator.gate && pending.verdicts[index]?.outcome === 'fail');
}

/** Returns whether another round is allowed and has an evaluator to ask. */
export function mayAskAgain(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return pending.rounds < EVALUATION_ROUNDS && evaluatorsToAsk(pending, evaluators).length > 0;
}
