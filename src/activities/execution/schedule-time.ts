import type { Info } from '@temporalio/activity';

/** Milliseconds by the server's clock and the time since the attempt began: the worker's may be hours ahead. Infinity: no limit. */
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
