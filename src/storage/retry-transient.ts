import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Of the operating system: the other side is away for a moment, or this side has too much open. */
const SYSTEM_CODES = new Set(
  'ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE EAI_AGAIN EHOSTUNREACH ENETUNREACH EMFILE ENFILE EAGAIN EBUSY'.split(' '),
);

/** Of PostgreSQL, whole or by class: connection lost, too many connections, starting up or shutting down, conflicts. */
const SQL_STATES = /^(?:08\w{3}|53300|57P0[123]|40001|40P01|55P03)$/;

/** What pg says without a code. */
const CONNECTION_TROUBLE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * Tries again, for `retryForMs` milliseconds, what failed for a reason that passes. Without this, a database that restarts
 * would cost a paid model call: the SDK fails an activity whose result cannot be stored, and the activity is run anew.
 */
export async function retryTransient<T>(
  retryForMs: number,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + retryForMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() + pause > deadline) throw error;
    }
    await sleep(pause, undefined, signal ? { signal } : {});
  }
}

function isTransient(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return SYSTEM_CODES.has(code) || SQL_STATES.test(code);
  return typeof message === 'string' && CONNECTION_TROUBLE.test(message);
}
