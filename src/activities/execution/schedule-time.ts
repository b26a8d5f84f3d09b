import type { Info } from '@temporalio/activity';

/**
 * Milliseconds that a time for all attempts of an activity leaves, by the server's clock and the time since the attempt began
 * here: the worker's clock may be hours ahead. Infinity where there is none.
 */
export function leftOfSchedule(
  {
    scheduledTimestampMs,
    scheduleToCloseTimeoutMs,
    currentAttemptScheduledTimestampMs,
  }: Pick<Info, 'scheduledTimestampMs' | 'scheduleToCloseTimeoutMs' | 'currentAttemptScheduledTimestampMs'>,
  attemptMs: number,
): number {
  if (!scheduleToCloseTimeoutMs) return Infinity;
  return scheduledTimestampMs + scheduleToCloseTimeoutMs - (currentAttemptScheduledTimestampMs + attemptMs);
}

/** Milliseconds since a local activity began, with earlier attempts, by this process's own clock. */
export function localElapsed(
  { attempt, scheduledTimestampMs }: Pick<Info, 'attempt' | 'scheduledTimestampMs'>,
  attemptMs: number,
): number {
  return attempt === 1 ? attemptMs : Math.max(attemptMs, Date.now() - scheduledTimestampMs);
}
