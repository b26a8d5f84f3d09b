/** Milliseconds for which a check that fails is made again: a tool server that is away when a run begins may be back by then. */
const RETRY_FOR_MS = 5 * 60_000;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Undefined if its time is over. `failures` is from 1, `passedMs` since the first check; `askedMs` is what the failure requests. */
export function delayBeforeCheck(failures: number, passedMs: number, askedMs?: number): number | undefined {
  const usual = FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 16);
  const delay = Math.max(FIRST_DELAY_MS, Math.min(askedMs ?? usual, LONGEST_DELAY_MS));
  return passedMs + delay > RETRY_FOR_MS ? undefined : delay;
}
