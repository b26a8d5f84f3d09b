import { CancelledFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { redact } from '../../lib/redact';
import { messageOf } from '../../lib/base/message-of';
import { atMost, orAborted, retryUntil } from '../../lib/timeout';

const FIRST_DELAY_MS = 250;

/** The error codes of the operating system for trouble that does not pass within the time that a run waits for its memory. */
const LASTING_CODES = new Set('EROFS ENOSPC EDQUOT EACCES EPERM ENOTDIR ENAMETOOLONG ELOOP'.split(' '));

/** PostgreSQL's codes, whole or by class, of lasting trouble: login, rights, missing database, full disk. */
const LASTING_STATES = /^(?:28\w{3}|3D000|42501|53100|25006)$/;

function isLasting(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && (LASTING_CODES.has(code) || LASTING_STATES.test(code));
}

/** Throws what it failed with last, at once when asking again would not help; CancelledFailure when the activity is cancelled. */
export async function askFor<T>(ask: (signal: AbortSignal) => Promise<T>, forMs: number): Promise<T> {
  const { cancellationSignal } = Context.current();
  const over = new AbortController();
  const until = Date.now() + forMs;
  const signal = AbortSignal.any([over.signal, cancellationSignal]);
  const isOver = (error: unknown, pauseMs: number): boolean => isLasting(error) || Date.now() + pauseMs >= until;
  const asking = retryUntil(() => ask(signal), { firstMs: FIRST_DELAY_MS, isOver, signal });
  try {
    return await atMost(forMs, orAborted(asking, cancellationSignal), () => {
      throw new Error(`no answer in ${forMs} ms`);
    });
  } catch (error) {
    if (!cancellationSignal.aborted || error instanceof CancelledFailure) throw error;
    throw new CancelledFailure('the memory is not waited for any more');
  } finally {
    over.abort();
  }
}

/** A memory that is away costs its contribution only: undefined then. Throws CancelledFailure when the activity is cancelled. */
export async function askPatiently<T>(ask: () => Promise<T>, forMs: number, lost: string): Promise<T | undefined> {
  try {
    return await askFor(ask, forMs);
  } catch (error) {
    if (error instanceof CancelledFailure) throw error;
    Context.current().log.warn(`${lost}: ${redact(messageOf(error))}`);
    return undefined;
  }
}
