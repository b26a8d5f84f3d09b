import { Context } from '@temporalio/activity';
import { type ActivityTime, timedResult } from '../../lib/base/timed-result';
import { localElapsed } from './schedule-time';
import { wellFormedFailures } from './well-formed-failures';

type Activity = (...given: unknown[]) => Promise<unknown>;

/** Results that already carry their time, or are stored with it. */
const said = new WeakSet<object>();

/** Returns the time of the current attempt. No clock of this machine counts, except if this machine began the attempt. */
function timeOf(startedAt: number): ActivityTime {
  const { info } = Context.current();
  const ms = performance.now() - startedAt;
  if (info.isLocal) return { reflectionMs: Math.round(localElapsed(info, ms)) };
  return { reflectionAt: Math.round(info.currentAttemptScheduledTimestampMs + ms) };
}

/**
 * Adds the time of the current attempt to its result.
 *
 * @param prompts the address of what its model calls were sent
 */
export function stampTime<T>(result: T, startedAt: number, prompts?: string): T {
  return timedResult(result, timeOf(startedAt), prompts) as T;
}

/** Marks a result that says its time, or is stored with it: no other time is added to it. */
export function markTimed<T>(result: T): T {
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
      return isSaid ? result : stampTime(result, startedAt);
    },
  ]);
  return Object.fromEntries(all) as Activities;
}
