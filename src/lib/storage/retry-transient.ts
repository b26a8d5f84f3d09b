import { setTimeout as sleep } from 'node:timers/promises';

import { isPassing, explainError } from '../postgres/trouble';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Codes of the operating system: this side has too much open, for a moment. */
const SYSTEM_CODES = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY']);

/**
 * Tries again, for `retryForMs` milliseconds and once at least, what failed for a reason that passes: what a silent connection has
 * held up for longer than that is tried on another. Without this, a database that restarts would fail the workflow tasks of all
 * runs. Results of activities are tried for longer, under their heartbeat.
 */
export async function retryTransient<T>(
  retryForMs: number,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  isClosed: () => boolean = () => false,
): Promise<T> {
  const deadline = performance.now() + retryForMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const isOver = pause > FIRST_PAUSE_MS && performance.now() + pause > deadline;
      if (!isTransient(error) || isOver || isClosed()) throw explainError(error);
    }
    await sleep(pause, undefined, signal ? { signal } : {});
  }
}

/** Reports whether a server cannot answer now, as the AWS SDK reports it. */
function isUnavailable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 500 || status === 429 || name === 'TimeoutError';
}

function isTransient(error: unknown): boolean {
  const isOfSystem = SYSTEM_CODES.has(String((error as { code?: unknown } | undefined)?.code));
  return isPassing(error) || isOfSystem || isUnavailable(error);
}
