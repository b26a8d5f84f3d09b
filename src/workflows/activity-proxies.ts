import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ReflectionActivities } from '../activities/protocol';
import { activityName, type Registered } from '../domain/activity-names';
import { activityLoad, localLoad, storedBytes } from '../domain/call-loads';
import { withIdempotencyKey } from './idempotency';
import { scheduled, sized } from './scheduling';

type RegisteredActivities = Registered<ReflectionActivities>;

/** Any activity of ours: each takes one argument. */
type Call = (input: unknown) => Promise<unknown>;

/** The SDK's proxies call an activity by the name of the property; ours call it by the name that it is registered under. */
function byPlainName(
  proxy: RegisteredActivities,
  make: (name: string, input: unknown, call: Call) => Promise<unknown>,
): ReflectionActivities {
  return new Proxy({} as ReflectionActivities, {
    get: (_, key) => {
      const name = String(key);
      const call = proxy[activityName(name as keyof ReflectionActivities)] as unknown as Call;
      return (input: unknown) => make(name, input, call);
    },
  });
}

/**
 * Our activities, by way of a task queue. Each call waits until there is room for it.
 *
 * Functions between a loop and its calls are not `async` where they only pass a promise on: the SDK notes a stack trace for each
 * promise of workflow code, which is most of what such a function costs.
 *
 * @param mostBytes of what an activity is given; Infinity: large payloads are stored outside of the history
 */
export function remoteActivities(options: ActivityOptions, mostBytes?: number): ReflectionActivities {
  return byPlainName(proxyActivities<RegisteredActivities>(options), (name, given, call) => {
    const input = withIdempotencyKey(name, given);
    return scheduled(
      () => activityLoad(name, sized(input, mostBytes), mostBytes),
      () => call(input),
    );
  });
}

/** Our activities, in the worker that runs the workflow. Only their results stand in the history. */
export function localActivities(options: LocalActivityOptions, mostBytes?: number): ReflectionActivities {
  return byPlainName(proxyLocalActivities<RegisteredActivities>(options), (name, given, call) => {
    const input = withIdempotencyKey(name, given);
    return scheduled(
      () => localLoad(name, input, mostBytes),
      () => call(input),
      (result) => storedBytes(result, mostBytes),
    );
  });
}
