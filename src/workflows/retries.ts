import type { RetryPolicy } from '@temporalio/common';

/** The SDK throws where the longest interval is shorter, however little time a spec leaves for retries. */
const FIRST_RETRY_MS = 100;

/**
 * Delays between attempts come from the activity itself, which knows the provider's Retry-After; the server clamps them to the
 * maximum interval.
 */
export function retriesFor(retryForMs: number): RetryPolicy {
  return {
    initialInterval: FIRST_RETRY_MS,
    backoffCoefficient: 2,
    maximumInterval: Math.max(FIRST_RETRY_MS, retryForMs),
  };
}
