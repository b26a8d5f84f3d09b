import { Context } from '@temporalio/activity';
import { type ActivityTime, timedResult } from '../../lib/base/timed-result';
import { localElapsed } from './schedule-time';
import { wellFormedFailures } from './well-formed-failures';

type Activity = (...given: unknown[]) => Promise<unknown>;

/** Results that say their time, or stand in the storage with it. */
const said = new WeakSet<object>();

/** Returns the time of the current attempt. No clock of this machine counts, except if this machine began the attempt. */
function timeOf(startedAt: number): ActivityTime {
  const { info } = Context.current();
  const ms = performance.now() - startedAt;
  if (info.isLocal) return { reflectionMs: Math.round(localElapsed(info, ms)) };
  return { reflectionAt: Math.round(info.currentAttemptScheduledTimestampMs + ms) };
}

/** Does work and returns its result with its time: a value that was stored in place of the result has the time, too. */
export async function withTime<T>(startedAt: number, work: (timed: (value: T) => T) => Promise<T>): Promise<T> {
  const result = await work((value) => timedResult(value, timeOf(startedAt)) as T);
  said.add(result as object);
  return result;
}

/** Wraps activities so that their results say their time. */
export function timedActivities<Activities extends object>(activities: Activities): Activities {
  const all = Object.entries(activities).map(([name, activity]): [string, Activity] => [
    name,
    async (...given) => {
      const startedAt = performance.now();
      const result = await wellFormedFailures(() => (activity as Activity)(...given));
      const isSaid = typeof result === 'object' && result !== null && said.has(result);
      return isSaid ? result : timedResult(result, timeOf(startedAt));
    },
  ]);
  return Object.fromEntries(all) as Activities;
}
