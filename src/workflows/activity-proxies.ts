import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ReflectionActivities } from '../activities/protocol';
import { activityName, type Registered } from '../domain/activity-names';

type RegisteredActivities = Registered<ReflectionActivities>;

/** The SDK's proxies call an activity by the name of the property; ours call it by the name that it is registered under. */
function byPlainName(proxy: RegisteredActivities): ReflectionActivities {
  return new Proxy({} as ReflectionActivities, {
    get: (_, name) => proxy[activityName(String(name) as keyof ReflectionActivities)],
  });
}

/** Our activities, by way of a task queue. */
export function remoteActivities(options: ActivityOptions): ReflectionActivities {
  return byPlainName(proxyActivities<RegisteredActivities>(options));
}

/** Our activities, in the worker that runs the workflow. */
export function localActivities(options: LocalActivityOptions): ReflectionActivities {
  return byPlainName(proxyLocalActivities<RegisteredActivities>(options));
}
