import { setTimeout as sleep } from 'node:timers/promises';

/** Node runs a timer that is longer at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Runs `work` with a signal that aborts when `signal` does, or after `timeoutMs`. Nothing is left of it once the work has ended.
 * `AbortSignal.timeout` keeps its listeners, and with them the input and the result of an activity, until its time is over.
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

/**
 * Waits for work, and no longer than so many milliseconds. Work that takes longer goes on, and its failure is ignored.
 *
 * @param whenLate gives the result once the time is over, or throws. Default: it is undefined
 */
export async function atMost<Result, Late = undefined>(
  ms: number,
  work: Promise<Result>,
  whenLate?: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  }).then(() => whenLate?.() as Late);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Retries {
  /** The pause after the first failure. Each later one is twice as long as the one before. */
  firstMs: number;
  /** Default: no limit. */
  longestMs?: number;
  isOver(error: unknown, pauseMs: number): boolean;
  signal?: AbortSignal | undefined;
}

/** Repeats work that fails until it succeeds or is given up. Throws the last failure, or the reason of the signal. */
export async function retryUntil<Result>(
  work: () => Promise<Result>,
  { firstMs, longestMs = Infinity, isOver, signal }: Retries,
): Promise<Result> {
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (isOver(error, pauseMs)) throw error;
    }
    await sleep(pauseMs, undefined, signal && { signal });
  }
}
