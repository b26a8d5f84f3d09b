import { isPassing, explainError } from '../postgres/trouble';
import { retryUntil } from '../timeout';

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
  const isOver = (error: unknown, pauseMs: number): boolean => {
    const isLate = pauseMs > FIRST_PAUSE_MS && performance.now() + pauseMs > deadline;
    return !isTransient(error) || isLate || isClosed();
  };
  try {
    return await retryUntil(work, { firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS, isOver, signal });
  } catch (error) {
    throw explainError(error);
  }
}

function isUnavailable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 500 || status === 429 || name === 'TimeoutError';
}

function isTransient(error: unknown): boolean {
  const isOfSystem = SYSTEM_CODES.has(String((error as { code?: unknown } | undefined)?.code));
  return isPassing(error) || isOfSystem || isUnavailable(error);
}
