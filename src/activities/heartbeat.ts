import { Context } from '@temporalio/activity';

/** The worker passes on fewer; this only has to be well below the heartbeat timeout. */
const LONGEST_INTERVAL_MS = 500;
const BEATS_IN_A_TIMEOUT = 5;

/**
 * Heartbeats while the work runs: a worker that died is noticed soon, and a cancellation reaches the work. The work gets the
 * signal that aborts when the run is cancelled, a person ends it, or the worker shuts down.
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat();
  const { heartbeatTimeoutMs = Infinity } = context.info;
  const interval = Math.min(LONGEST_INTERVAL_MS, heartbeatTimeoutMs / BEATS_IN_A_TIMEOUT);
  const timer = setInterval(() => context.heartbeat(), interval);
  try {
    // A cancelled activity answers at once, even where the work ignores the signal.
    return await Promise.race([work(context.cancellationSignal), context.cancelled]);
  } finally {
    clearInterval(timer);
  }
}
