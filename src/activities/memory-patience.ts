import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { redact } from '../observability/redact';

const FIRST_DELAY_MS = 250;

/**
 * Asks a memory until it answers, for a while. One that is away then costs what it would have said, and nothing else.
 *
 * @param lost for the worker's log
 * @returns undefined when it did not answer
 * @throws CancelledFailure when the activity is cancelled meanwhile
 */
export async function askedPatiently<T>(ask: () => Promise<T>, forMs: number, lost: string): Promise<T | undefined> {
  const { cancellationSignal, cancelled, log } = Context.current();
  const over = new AbortController();
  const until = Date.now() + forMs;
  const signal = AbortSignal.any([over.signal, cancellationSignal]);
  const timeIsUp = sleep(forMs, undefined, { signal }).then(() => {
    throw new Error(`no answer in ${forMs} ms`);
  });
  // Nobody listens any more once there is an answer.
  timeIsUp.catch(() => undefined);
  try {
    for (let delay = FIRST_DELAY_MS; ; delay *= 2) {
      try {
        return await Promise.race([ask(), timeIsUp, cancelled]);
      } catch (error) {
        if (cancellationSignal.aborted) throw error instanceof CancelledFailure ? error : new CancelledFailure(lost);
        if (Date.now() + delay >= until || (error instanceof ApplicationFailure && error.nonRetryable)) {
          log.warn(`${lost}: ${redact(error instanceof Error ? error.message : String(error))}`);
          return undefined;
        }
      }
      await Promise.race([sleep(delay), cancelled]);
    }
  } finally {
    over.abort();
  }
}
