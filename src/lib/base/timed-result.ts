import { omitUndefined } from './defined';
import { isJsonObject, type Json } from '../json/json';

/** Workflow code knows times only by its workflow task, which differs in each replay; a result is recorded. */
interface TimedResult<T> {
  /** Milliseconds that a local activity took, earlier attempts included. */
  reflectionMs?: number;
  /** The time at which another activity ended, in epoch milliseconds of the server's clock; without the last wait for a worker. */
  reflectionAt?: number;
  /** The address of what its model calls were sent and answered, where the worker keeps that. Workflow code does not read it. */
  reflectionPrompts?: string;
  value?: T;
}

export type ActivityTime = { reflectionMs: number } | { reflectionAt: number };

export function timedResult<T>(value: T, time: ActivityTime, reflectionPrompts?: string): TimedResult<T> {
  return omitUndefined({ ...time, reflectionPrompts, value });
}

export function isTimed<T>(given: T | TimedResult<T>): given is TimedResult<T> {
  if (!isJsonObject(given as Json)) return false;
  return Object.hasOwn(given as object, 'reflectionMs') || Object.hasOwn(given as object, 'reflectionAt');
}

/** Type of what a local activity throws when its time from schedule to close is over; its cause is the last failure. */
export const LOCAL_TIME_IS_UP = 'LocalTimeIsUp';
