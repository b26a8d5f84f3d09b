import { NativeConnection, Worker } from '@temporalio/worker';
import type { ReflectionActivities } from '../activities/protocol';
import type { Registered } from '../domain/activity-names';
import { HEARTBEAT_THROTTLE_MS } from '../domain/recovery';
import { modelQueue } from '../domain/task-queues';
import { modelCallLimits } from './served-work';
import { withSlots } from './temporal-options';
import type { WorkOptions } from './work-options';

/** What a cancelled call gets to come to its end. Then the worker ends without it, and its heartbeats stop. */
export const AFTER_DRAIN_MS = 10_000;

/** How soon the worker of model calls stops after the worker that it belongs to: there is no event for it. */
const WATCH_MS = 100;

function stop(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}

const isOver = (worker: Worker): boolean => !['INITIALIZED', 'RUNNING'].includes(worker.getState());

/**
 * Serves `<queue>-models` for as long as somebody's worker of `<queue>` runs: with the same connection, converter, identity,
 * version and activity interceptors. Whichever ends first ends the other.
 */
export async function runWithModels(
  worker: Worker,
  run: () => Promise<void>,
  activities: Registered<ReflectionActivities>,
  options: WorkOptions & { drainMs: number },
): Promise<void> {
  const { taskQueue, namespace, identity, dataConverter, workerDeploymentOptions, interceptors } = worker.options;
  // A connection that the SDK opened for the worker closes with it, so it cannot be shared.
  const shared = worker.options.connection && worker.connection;
  const connection = shared ?? (await NativeConnection.connect());
  try {
    const models = await Worker.create({
      connection,
      namespace,
      identity,
      ...(dataConverter ? { dataConverter } : {}),
      ...(workerDeploymentOptions ? { workerDeploymentOptions } : {}),
      interceptors: { activity: interceptors.activity },
      activities,
      taskQueue: modelQueue(taskQueue),
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
      shutdownGraceTime: options.drainMs,
      shutdownForceTime: options.drainMs + AFTER_DRAIN_MS,
      ...withSlots(modelCallLimits(options), options.temporal?.models ?? {}),
    });
    const watch = setInterval(() => isOver(worker) && stop(models), WATCH_MS);
    const ends = await Promise.allSettled([
      models.run().finally(() => stop(worker)),
      run().finally(() => stop(models)),
    ]).finally(() => clearInterval(watch));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    if (!shared) await connection.close();
  }
}
