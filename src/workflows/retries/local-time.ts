import type { WorkflowOutboundCallsInterceptor } from '@temporalio/workflow';
import { plainActivityName } from '../../lib/names/activity-names';

/** Milliseconds that a local call is given at least: an attempt that cannot even begin within its time cannot say that this is over, and is tried again for ever. */
export const LEAST_LOCAL_MS = 250;

/**
 * Longer waits between attempts of a local activity are timers of the workflow. What waits without one keeps its workflow task open,
 * and a server ends that after half an hour: the attempts and their time are then counted anew.
 */
export const LONGEST_LOCAL_WAIT_MS = 10_000;

/** The name of a property of the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionLocalCalls';

/** Returns the times when calls were made first, by their arguments, which the SDK gives to each attempt. */
function firstTimes(): WeakMap<readonly unknown[], number> {
  const own = globalThis as { [KEY]?: WeakMap<readonly unknown[], number> };
  return (own[KEY] ??= new WeakMap());
}

/**
 * Gives an attempt that follows a timer the rest of the time for all attempts, so that the attempt itself can report that
 * the time is over, and why. With the whole time, it would wait for another attempt, and the SDK would end that without a
 * word. The time that a local activity may take is not part of a history.
 */
export const scheduleLocalActivity: NonNullable<WorkflowOutboundCallsInterceptor['scheduleLocalActivity']> = (
  input,
  next,
) => {
  const { activityType, args, attempt, options } = input;
  const { scheduleToCloseTimeout: whole } = options;
  // Those of a workflow's owner are as the owner says.
  if (typeof whole !== 'number' || plainActivityName(activityType) === activityType) return next(input);
  const first = firstTimes().get(args);
  if (attempt === 1 || first === undefined) {
    firstTimes().set(args, Date.now());
    return next(input);
  }
  const left = Math.max(LEAST_LOCAL_MS, whole - (Date.now() - first));
  // Else the SDK takes off once more what has passed.
  return next({ ...input, originalScheduleTime: undefined, options: { ...options, scheduleToCloseTimeout: left } });
};
