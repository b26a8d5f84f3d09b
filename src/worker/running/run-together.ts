import { Runtime, type Worker } from '@temporalio/worker';
import { atMost } from '../../lib/timeout';

/** The time that cancelled calls have to end. Then the worker ends without them, and its heartbeats stop. */
export const AFTER_DRAIN_MS = 10_000;

/** How soon workers stop after one of them has: there is no event for it. */
const WATCH_MS = 100;

/** The time that a worker has to end itself, when it has given up its work. */
const LAST_MS = 1_500;

const CLOSE_MS = 3_000;

function stop(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}

export function stopAll(workers: readonly Worker[]): void {
  for (const worker of workers) stop(worker);
}

const isOver = (worker: Worker): boolean => !['INITIALIZED', 'RUNNING'].includes(worker.getState());

/** Returns the time after which all work has ended once a worker was asked to stop, in milliseconds. */
export function endsWithin(drainMs: number): number {
  return drainMs + AFTER_DRAIN_MS + LAST_MS;
}

/** Creates workers. Throws the error of the first that could not be created, after the others were stopped. */
export async function createTogether(creating: readonly Promise<Worker>[]): Promise<Worker[]> {
  const outcomes = await Promise.allSettled(creating);
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return made;
  // There is no other way to give a worker up, which holds on to its connection.
  const given = made.map((worker) => {
    const running = worker.run();
    stop(worker);
    return running;
  });
  await Promise.allSettled(given);
  throw failed.reason;
}

function tooLateError(cause?: unknown): Error {
  const message =
    'The worker was told to stop and could not end its work in time: a storage, a memory or an action hangs.';
  return new Error(message, { cause });
}

/**
 * Runs workers until all have ended. The worker that stops first stops the others.
 * @param withinMs after the first has stopped, so many milliseconds are waited for the others; default: without end
 * @throws the first failure, once all have ended
 */
export async function runTogether(
  running: readonly { worker: Worker; run(): Promise<void> }[],
  withinMs = Infinity,
): Promise<void> {
  const workers = running.map(({ worker }) => worker);
  const failures: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let toldAt = Infinity;
  const late = new Promise<void>((resolve) => {
    watch = setInterval(() => {
      if (!workers.some(isOver)) return;
      toldAt = Math.min(toldAt, performance.now());
      stopAll(workers);
      if (withinMs !== Infinity) timer ??= setTimeout(resolve, withinMs);
    }, WATCH_MS);
  }).then(() => failures.push(tooLateError()));
  // A worker that gives its work up fails in several ways, none of which says so.
  const failureOf = (error: unknown): unknown =>
    performance.now() - toldAt > withinMs - AFTER_DRAIN_MS / 2 ? tooLateError(error) : error;
  const ended = running.map(({ run }) =>
    run()
      .catch((error: unknown) => failures.push(failureOf(error)))
      .finally(() => stopAll(workers)),
  );
  await Promise.race([Promise.all(ended), late]);
  clearInterval(watch);
  clearTimeout(timer);
  if (failures.length > 0) throw failures[0];
}

/** Functions that close resources in the end, by the names that the log uses. */
export type Closers = Readonly<Record<string, () => Promise<unknown>>>;

async function closeInTime(what: string, close: () => Promise<unknown>): Promise<void> {
  await atMost(CLOSE_MS, close(), () =>
    Runtime.instance().logger.warn(`${what} did not close within ${CLOSE_MS} ms, and is left open`),
  );
}

/** Closes everything after some work, whatever becomes of each, and throws the first failure. */
export async function runThenClose(work: () => Promise<void>, closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  await work().catch((error: unknown) => failures.push(error));
  const closing = Object.entries(closers).map(([what, close]) =>
    closeInTime(what, close).catch((error: unknown) => failures.push(error)),
  );
  await Promise.all(closing);
  if (failures.length > 0) throw failures[0];
}
