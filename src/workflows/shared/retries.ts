import type { RetryPolicy } from '@temporalio/common';

/** The SDK throws where the longest interval is shorter, however little time a spec leaves for retries. */
const FIRST_RETRY_MS = 100;

/** After an attempt that was lost: 100 ms at first, a minute after fifty attempts. */
const GROWTH = 1.14;

/**
 * Delays after failures come from the activity itself, which knows the provider's Retry-After; the server clamps them to the
 * maximum interval, and so tells the activity of `retryFor`. The other numbers are for attempts that were lost: the
 * heartbeat timeout has passed already, and a long outage before must not make a run wait for long after a crash.
 */
export function retriesFor(retryForMs: number): RetryPolicy {
  return {
    initialInterval: FIRST_RETRY_MS,
    backoffCoefficient: GROWTH,
    maximumInterval: Math.max(FIRST_RETRY_MS, retryForMs),
  };
}
