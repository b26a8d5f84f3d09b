import { CallAbortedError, type ClientCall, NoAnswerError } from '../loop/errors/call-errors';
import { type CallOptions, NO_LIMIT_MS, timeoutOf } from './call-options';

/**
 * Waits for an answer for as long as the options say.
 *
 * @param ask is given a signal that is aborted once no caller waits any more, and the milliseconds for which it is waited
 * @throws NoAnswerError, CallAbortedError, and what `ask` throws
 */
export async function waitForAnswer<T>(
  call: ClientCall,
  options: CallOptions,
  otherwiseMs: number,
  ask: (over: AbortSignal, timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  const timeoutMs = timeoutOf(options, otherwiseMs);
  if (signal?.aborted) throw new CallAbortedError(call, signal.reason);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: Error): void => {
      reject(error);
      over.abort(error);
    };
    if (timeoutMs !== NO_LIMIT_MS) timer = setTimeout(() => end(new NoAnswerError(call, timeoutMs)), timeoutMs);
    onAbort = () => end(new CallAbortedError(call, signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([ended, ask(over.signal, timeoutMs)]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}
