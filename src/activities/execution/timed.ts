import { Context } from '@temporalio/activity';
import { type ActivityTime, timedResult } from '../../lib/base/timed-result';
import { localElapsed } from './schedule-time';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { wellFormedText } from '../../lib/names/protocol-text';

const MOST_CAUSES = 20;

function isWellFormed({ message, stack = '', ...rest }: Error): boolean {
  const { type } = rest as { type?: unknown };
  const texts = [message, stack, typeof type === 'string' ? type : ''];
  return texts.every((text) => wellFormedText(text) === text);
}

/** Makes the texts of a failure well-formed. Fields of errors may be read-only, so that a new one takes its place. */
function wellFormedFailure(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > MOST_CAUSES) return error;
  const { cause } = error;
  const because = wellFormedFailure(cause, depth + 1) as Error | undefined;
  if (isWellFormed(error) && because === cause) return error;
  const message = wellFormedText(error.message);
  if (error instanceof CancelledFailure) return new CancelledFailure(message, error.details, because);
  const failure =
    error instanceof ApplicationFailure
      ? ApplicationFailure.create({
          message,
          type: wellFormedText(error.type ?? error.name),
          nonRetryable: error.nonRetryable ?? undefined,
          details: error.details ?? undefined,
          nextRetryDelay: error.nextRetryDelay ?? undefined,
          category: error.category ?? undefined,
          cause: because,
        })
      : ApplicationFailure.create({ message, type: wellFormedText(error.name), cause: because });
  failure.stack = wellFormedText(error.stack ?? '');
  return failure;
}

/** Does work whose failure becomes strings of the protocol: the worker would end at one that is not UTF-8. */
async function wellFormedFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw wellFormedFailure(error);
  }
}

type Activity = (...given: unknown[]) => Promise<unknown>;

/** Results that already carry their time, or are stored with it. */
const said = new WeakSet<object>();

/** The time of the current attempt. No clock of this machine counts, except if this machine began the attempt. */
function timeOf(startedAt: number): ActivityTime {
  const { info } = Context.current();
  const ms = performance.now() - startedAt;
  if (info.isLocal) return { reflectionMs: Math.round(localElapsed(info, ms)) };
  return { reflectionAt: Math.round(info.currentAttemptScheduledTimestampMs + ms) };
}

export function stampTime<T>(result: T, startedAt: number, prompts?: string): T {
  return timedResult(result, timeOf(startedAt), prompts) as T;
}

/** Marks a result that says its time, or is stored with it: no other time is added to it. */
export function markTimed<T>(result: T): T {
  said.add(result as object);
  return result;
}

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
