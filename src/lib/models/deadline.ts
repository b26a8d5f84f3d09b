import { APIConnectionTimeoutError, APIUserAbortError } from 'openai';
import { StillRunningError } from './reply-error';
import type { ChatRequest } from './types';
import { withTimeout } from '../timeout';

/**
 * Runs a call that ends at its request's timeout or cancellation, and reports which of the two it was.
 *
 * The vendor's client stops its own timer when the headers arrive, so a reply that stalls in the middle would never
 * end; and it ends a stream that was aborted without an error, as if it were whole.
 *
 * @param advice is added to the error of a call whose time is over
 */
export async function runWithDeadline<Result>(
  { signal, timeoutMs }: Pick<ChatRequest, 'signal' | 'timeoutMs'>,
  call: (signal: AbortSignal) => Promise<Result>,
  advice = '',
): Promise<Result> {
  if (signal.aborted) throw cancellation(signal);
  return withTimeout(timeoutMs, signal, (limited, isTimeUp) =>
    call(limited).catch((error: unknown) => {
      if (signal.aborted) throw cancellation(signal);
      if (error instanceof StillRunningError) throw error;
      if (isTimeUp()) {
        throw new APIConnectionTimeoutError({ message: `No whole reply within ${timeoutMs} ms. ${advice}`.trim() });
      }
      throw error;
    }),
  );
}

/**
 * Returns why a signal was aborted: an activity's signal carries Temporal's own `CancelledFailure`, which must stay as
 * it is.
 */
function cancellation({ reason }: AbortSignal): unknown {
  return typeof reason === 'object' && reason !== null && 'message' in reason ? reason : new APIUserAbortError();
}
