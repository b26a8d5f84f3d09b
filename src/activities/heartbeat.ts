import { Context } from '@temporalio/activity';

/** The worker passes on fewer; this only has to be well below the heartbeat timeout. */
const LONGEST_INTERVAL_MS = 500;
const BEATS_IN_A_TIMEOUT = 5;

/**
 * Heartbeats while the work runs: a worker that died is noticed soon, and a cancellation reaches the work. The work gets the
 * signal that aborts when the run is cancelled, a person ends it, or the worker shuts down; and a function for what the
 * next attempt has to know if this one is lost.
 */
export async function withHeartbeat<T>(
  work: (signal: AbortSignal, remember: (details: unknown) => void) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  // What an earlier attempt left is kept until there is something newer: the server only knows the last heartbeat.
  let details: unknown = context.info.heartbeatDetails;
  const beat = (): void => context.heartbeat(details);
  const remember = (newer: unknown): void => {
    details = newer;
    beat();
  };
  beat();
  const { heartbeatTimeoutMs = Infinity } = context.info;
  const timer = setInterval(beat, Math.min(LONGEST_INTERVAL_MS, heartbeatTimeoutMs / BEATS_IN_A_TIMEOUT));
  try {
    // A cancelled activity answers at once, even where the work ignores the signal.
    return await Promise.race([work(context.cancellationSignal, remember), context.cancelled]);
  } finally {
    clearInterval(timer);
  }
}
