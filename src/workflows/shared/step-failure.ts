import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { isJsonObject, type Json } from '../../lib/json/json';
import type { TokenUsage } from '../../lib/contract/values';
import type { StepFailure } from '../../loop/state/loop-state';

/** Creates a failure that no retry helps. An error of any other kind would fail the workflow task, again and again. */
export function permanentFailure(type: string, message: string, details?: unknown[]): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details, nonRetryable: true });
}

/** Reads an activity's failure; anything else (a cancellation, a bug) is thrown again. */
export function stepFailureOf(error: unknown, calledModel: boolean): StepFailure & { details: unknown[] } {
  // A call that was not made, because it would not have fitted into the history.
  if (error instanceof ApplicationFailure && error.type === 'OutputTooLarge') {
    return { type: error.type, message: error.message, details: [] };
  }
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) {
    return { type: cause.type ?? 'StepFailed', message: cause.message, details: cause.details ?? [] };
  }
  const timedOut = cause instanceof TimeoutFailure;
  return {
    type: calledModel && timedOut ? 'Model.Timeout' : 'StepFailed',
    message: timedOut ? `no answer in time (${cause.timeoutType})` : (cause?.message ?? error.message),
    details: [],
  };
}

/** Returns the usage that was paid for a call, or for a loop's run, that failed; undefined if it is not known. */
export function usageOfFailure(error: unknown): TokenUsage | undefined {
  const called = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  const details = called && error.cause instanceof ApplicationFailure && error.cause.details;
  const [first] = details || [];
  return (first as { tokenUsage?: TokenUsage } | null | undefined)?.tokenUsage;
}

/**
 * Adds the cost of a run to its failure, as the first detail. An error that is not a failure of a run is returned as it is, and
 * so is the failure of a run that paid for nothing.
 */
export function addUsageToFailure(error: unknown, tokenUsage: TokenUsage): unknown {
  if (!(error instanceof ApplicationFailure) || (tokenUsage.modelCalls === 0 && tokenUsage.totalTokens === 0))
    return error;
  const [first, ...others] = error.details ?? [];
  if (first !== undefined && !isJsonObject(first as Json)) return error;
  return permanentFailure(error.type ?? 'StepFailed', error.message, [{ ...(first as object), tokenUsage }, ...others]);
}

export function failedDraftFailure(
  failure: StepFailure & { details: unknown[] },
  step: string,
  iteration: number,
): ApplicationFailure {
  const message = `The ${step} failed in iteration ${iteration}: ${failure.message}`;
  return permanentFailure(failure.type, message, [{ step, iteration }, ...failure.details]);
}

/** Waits for what must be there before anything else; its failure is the run's. */
export function awaitPreparation<T>(preparing: Promise<T>): Promise<T> {
  return preparing.catch((error: unknown) => {
    const { type, message, details } = stepFailureOf(error, false);
    throw permanentFailure(type, message, details);
  });
}
