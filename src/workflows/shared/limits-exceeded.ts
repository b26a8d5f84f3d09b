import { ActivityFailure, TimeoutFailure } from '@temporalio/workflow';

/** A limit of the budget was reached in the middle of a step: what it was to make is not made. Never leaves the loop. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

/** A step waits for a person: it goes on once it has the answer. Never leaves the loop. */
export class StepParked extends Error {
  override readonly name = 'StepParked';
}

/** The time budget ended a call, or leaves no time for another attempt at it. Never leaves the loop. */
export class RunTimeExceeded extends Error {
  override readonly name = 'RunTimeExceeded';
}

/** Its time from schedule to close was over, or would be before the next attempt. */
function ranOutOfTime(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause, retryState } = error;
  return retryState === 'TIMEOUT' || (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE');
}

/** Waits within what the time budget leaves. Throws RunTimeExceeded when that time ran out. */
export function limitTime<T>(limited: boolean, call: Promise<T>): Promise<T> {
  if (!limited) return call;
  return call.catch((error: unknown) => {
    throw ranOutOfTime(error) ? new RunTimeExceeded('the time budget is spent') : error;
  });
}
