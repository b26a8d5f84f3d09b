import { Context } from '@temporalio/activity';
import { RECOVERY_PROFILES, usualInterval } from '../../lib/limits/recovery';

/** Most heartbeats a second of a process: each beat is a write of the task server. */
const BEATS_A_SECOND = 100;
/** The share of the timeout that may pass between beats however many calls there are; the rest is for a stall. */
const LONGEST_SHARE = 0.32;

/** Work that heeds its signal may take this long to end. */
const LATE_MS = 1_000;

let calls = 0;

/** Milliseconds between beats of one call, at least so many, such that all calls of the process together do not beat too often. */
export function spreadInterval(leastMs: number, among = calls): number {
  return Math.max(leastMs, (among * 1_000) / BEATS_A_SECOND);
}

/** Milliseconds to the next beat of one call among so many. */
export function beatInterval(among: number, timeoutMs: number): number {
  const usual = usualInterval(timeoutMs);
  return Math.min(spreadInterval(usual, among), Math.max(usual, timeoutMs * LONGEST_SHARE));
}

/**
 * The work gets the signal that aborts when the run is cancelled, a person ends it, or the worker shuts down, and a
 * function for what the next attempt has to know if this one is lost, which is sent at once. A cancelled activity
 * answers at once, also where the work goes on: its late end is logged. `finish` runs under heartbeats, and looks for
 * cancellations itself.
 */
export async function withHeartbeat<T>(
  work: (signal: AbortSignal, remember: (details: object) => void) => Promise<T>,
  finish: (result: T, startedAt: number) => Promise<T> = (result) => Promise.resolve(result),
  more: () => object = () => ({}),
): Promise<T> {
  const startedAt = performance.now();
  const context = Context.current();
  // A local activity has no heartbeats: its worker is the one that runs the workflow.
  if (context.info.isLocal) return Promise.race([work(context.cancellationSignal, () => undefined), context.cancelled]);
  // What an earlier attempt left is kept until there is something newer: the server only knows the last heartbeat.
  let details: unknown = context.info.heartbeatDetails;
  const { heartbeatTimeoutMs = RECOVERY_PROFILES.standard.heartbeatTimeoutMs } = context.info;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const detailsNow = (): unknown => {
    const all = { ...(details as object | undefined), ...more() };
    return Object.keys(all).length === 0 ? undefined : all;
  };
  const beat = (): void => {
    // Work that ignores its signal goes on after the activity has answered.
    if (isOver) return;
    context.heartbeat(detailsNow());
    wait();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(beat, beatInterval(calls, heartbeatTimeoutMs));
  };
  calls += 1;
  // The server counts from the start of the activity, so the first beat has time, too: a short call sends none.
  wait();
  const remember = (newer: object): void => {
    details = { ...(details as object | undefined), ...newer };
    beat();
  };
  const working = work(context.cancellationSignal, remember);
  let isWorking = true;
  const markEnded = (): void => void (isWorking = false);
  working.then(markEnded, markEnded);
  try {
    const result = await Promise.race([working, context.cancelled]);
    return await finish(result, startedAt);
  } catch (error) {
    if (isWorking) logLateEnd(working, context);
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
    calls -= 1;
  }
}

/** No caller waits for cancelled work any more, so only the log reports its late end. */
function logLateEnd(working: Promise<unknown>, { log }: Context): void {
  const cancelledAt = performance.now();
  const tell = (): void => {
    const ms = Math.round(performance.now() - cancelledAt);
    if (ms >= LATE_MS) log.warn('work ignored its signal and ended after its activity was cancelled', { ms });
  };
  working.then(tell, tell);
}
