/** Node runs a timer that is longer at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Runs `work` with a signal that aborts when `signal` does, or after `timeoutMs`.
 *
 * Nothing is left of it once the work has ended. `AbortSignal.timeout` keeps its listeners, and with them the input and the
 * result of an activity, until its time is over.
 *
 * @param isTimeUp whether it was the time that ended it
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (limited: AbortSignal, isTimeUp: () => boolean) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let isTimeUp = false;
  const cancel = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => {
      isTimeUp = true;
      controller.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
    },
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  );
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(controller.signal, () => isTimeUp);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Returns the result of `work`, or throws the reason of `signal` once it aborts: for work that does not look at its signal. */
export async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
