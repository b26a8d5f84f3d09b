import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

/** What is known of the call that failed. */
export type FailedCall = Pick<Info, 'scheduledTimestampMs' | 'scheduleToCloseTimeoutMs' | 'retryPolicy'>;

/**
 * The failure of an attempt, made permanent where the next attempt would come after `retryFor`. The server sees to that
 * itself, unless one attempt may take longer than `retryFor`: then all of them together have the time of the first one, and
 * only the longest interval between them, which is `retryFor`, tells how long to retry.
 *
 * @param now epoch milliseconds
 */
export function withinRetryTime(failure: unknown, call: FailedCall, now: number): unknown {
  const retryFor = call.retryPolicy?.maximumInterval;
  if (typeof retryFor !== 'number' || call.scheduleToCloseTimeoutMs <= retryFor) return failure;
  if (!(failure instanceof ApplicationFailure) || failure.nonRetryable) return failure;
  const { nextRetryDelay } = failure;
  const delay = typeof nextRetryDelay === 'number' ? nextRetryDelay : 0;
  if (now - call.scheduledTimestampMs + delay <= retryFor) return failure;
  const { message, type, details } = failure;
  return ApplicationFailure.create({
    message,
    nonRetryable: true,
    ...(type == null ? {} : { type }),
    ...(details == null ? {} : { details }),
  });
}
