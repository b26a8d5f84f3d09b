import { NativeConnection, Worker } from '@temporalio/worker';
import type { ReflectionActivities } from '../../activities/protocol';
import type { Registered } from '../../lib/names/activity-names';
import { HEARTBEAT_THROTTLE_MS } from '../../lib/limits/recovery';
import { modelQueue } from '../../lib/names/task-queues';
import { AFTER_DRAIN_MS, runTogether, runThenClose } from './run-together';
import { modelCallLimits } from '../worker-services';
import { withSlots } from '../temporal-options';
import type { WorkOptions } from '../work-options';

/**
 * Serves `<queue>-models` for as long as a user's worker of `<queue>` runs: with the same connection, converter, identity,
 * version and activity interceptors. The worker that ends first ends the other.
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
  const serve = async (): Promise<void> => {
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
    // The time that a user's worker takes to end is set by its own options.
    await runTogether([
      { worker: models, run: () => models.run() },
      { worker, run },
    ]);
  };
  await runThenClose(serve, shared ? {} : { 'the connection': () => connection.close() });
}
