import { defined } from './defined';
import { isJsonObject, type Json } from './json/json';

/**
 * What an activity of ours gives: its result, and its time. Workflow code can tell the time of an event by the workflow task at hand
 * only, which is not the same in each replay; what stands in a result is.
 */
interface TimedResult<T> {
  /** Of a local activity: milliseconds that it took, earlier attempts included. */
  reflectionMs?: number;
  /** Of others: when it ended, in epoch milliseconds of the server's clock; without the last wait for a worker. */
  reflectionAt?: number;
  value?: T;
}

/** The time of an activity. */
export type ActivityTime = { reflectionMs: number } | { reflectionAt: number };

export function timedResult<T>(value: T, time: ActivityTime): TimedResult<T> {
  return defined({ ...time, value });
}

export function isTimed<T>(given: T | TimedResult<T>): given is TimedResult<T> {
  if (!isJsonObject(given as Json)) return false;
  return Object.hasOwn(given as object, 'reflectionMs') || Object.hasOwn(given as object, 'reflectionAt');
}

/** Type of what a local activity throws when its time from schedule to close is over; its cause is the last failure. */
export const LOCAL_TIME_IS_UP = 'LocalTimeIsUp';
