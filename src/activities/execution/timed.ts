import { Context } from '@temporalio/activity';
import { type ActivityTime, timedResult } from '../../domain/base/timed-result';
import { localElapsed } from './schedule-time';
import { wellFormedFailures } from './well-formed-failures';

type Activity = (...given: unknown[]) => Promise<unknown>;

/** Results that say their time, or stand in the storage with it. */
const said = new WeakSet<object>();

/** Of the attempt at hand. No clock of this machine counts, except where it is the one that began. */
function timeOf(startedAt: number): ActivityTime {
  const { info } = Context.current();
  const ms = performance.now() - startedAt;
  if (info.isLocal) return { reflectionMs: Math.round(localElapsed(info, ms)) };
  return { reflectionAt: Math.round(info.currentAttemptScheduledTimestampMs + ms) };
}

/** Does work and hands over a result with its time: what was stored in its place has it, too. */
export async function withTime<T>(startedAt: number, work: (timed: (value: T) => T) => Promise<T>): Promise<T> {
  const result = await work((value) => timedResult(value, timeOf(startedAt)) as T);
  said.add(result as object);
  return result;
}

/** The same activities, whose results say their time. */
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
