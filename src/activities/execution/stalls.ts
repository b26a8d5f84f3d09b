import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RetryDetails } from './retry-time';
import { EventLoopWatch } from '../../lib/observability/event-loop';

/** The time within which a task that the server gave to a stalled process arrives after the process goes on. */
const AFTER_STALL_MS = 2_000;

/** A process that stalls again and again must get on with its work nevertheless. */
const MOST_SKIPPED = 5;

const STALLED = 'WorkerStalled';

let watch: EventLoopWatch | undefined;

export function watchForStalls(): void {
  watch ??= new EventLoopWatch();
}

/** Whether an attempt was given up because its process had stalled, which says nothing of the call. */
export function wasStalled(failure: unknown): boolean {
  return failure instanceof ApplicationFailure && failure.type === STALLED;
}

/**
 * Throws if this process stalled for longer than a heartbeat timeout since shortly before `startedAt`
 * (`performance.now()`). It finds all attempts of that time at once, and would make, and pay for, the call of each.
 */
export function assertNotStalled({ heartbeatTimeoutMs, heartbeatDetails }: Info, startedAt: number): void {
  if (!watch || !heartbeatTimeoutMs) return;
  const { skipped = 0 } = (heartbeatDetails ?? {}) as RetryDetails;
  if (skipped >= MOST_SKIPPED) return;
  const paused = watch.longestPauseSince(startedAt - AFTER_STALL_MS);
  if (paused < heartbeatTimeoutMs) return;
  throw ApplicationFailure.create({
    type: STALLED,
    message: `The worker stood still for ${(paused / 1_000).toFixed(1)} s, so this attempt may be one that was given up: nothing was called.`,
    nextRetryDelay: AFTER_STALL_MS,
  });
}
