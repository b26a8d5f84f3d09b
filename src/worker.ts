import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActionRegistry } from './actions/registry';
import type { Action } from './actions/types';
import { createActivities } from './activities/index';
import { type TemporalOverrides, temporalSettings } from './config';
import { type RecoveryProfile, recoverySettings } from './domain/recovery';
import { SEARCH_ATTRIBUTES } from './domain/search-attributes';
import { modelQueue } from './domain/task-queues';
import { createModels } from './models/index';
import type { ModelConfig } from './models/types';

export { defineAction } from './actions/define-action';
export type { Action, ActionContext } from './actions/types';
export type { ModelConfig, ModelPrices } from './models/types';
export type { RecoveryProfile } from './domain/recovery';

export interface ReflectionWorkerOptions extends TemporalOverrides {
  /** A connection of the caller's; else one is opened and closed with the worker. */
  connection?: NativeConnection;
  /** With none, every model name goes to `OPENAI_BASE_URL`. The first is the default. */
  models?: ModelConfig[];
  actions?: Action[];
  /** Model calls at the same time. Default 1000: they only wait, so memory is their limit. */
  maxConcurrentModelCalls?: number;
  /**
   * How soon runs go on after a crash, against how long a worker may stall: see `RECOVERY_PROFILES`. Default:
   * `REFLECT_RECOVERY`, else `steady`. Workers of a queue should agree.
   */
  recovery?: RecoveryProfile;
}

/** A running pair of workers: workflows and cheap activities on the queue, model calls on `<queue>-models`. */
export interface ReflectionWorker {
  readonly taskQueue: string;
  readonly modelQueue: string;
  /** Works until `shutdown`, then lets what is under way come to its end. */
  run(): Promise<void>;
  shutdown(): void;
}

/** Workflow code in one file, as `npm run build` makes it: a worker that has it starts without bundling. */
const BUNDLE = join(__dirname, 'workflow-bundle.js');

const DEFAULT_MODEL_CALLS = 1_000;

function workflowSource(): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  if (existsSync(BUNDLE)) return { workflowBundle: { codePath: BUNDLE } };
  return { workflowsPath: require.resolve('./workflows/index') };
}

/** Asks once whether the namespace has the search attributes; asks again while it has not. */
function searchAttributeCheck(connection: NativeConnection, namespace: string): () => Promise<boolean> {
  let known = false;
  return async () => {
    if (known) return true;
    try {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      known = Object.values(SEARCH_ATTRIBUTES).every((name) => customAttributes && name in customAttributes);
    } catch {
      // Some servers do not let a worker ask. The run works the same without them.
      return false;
    }
    return known;
  };
}

/** Makes a worker that serves reflection loops. Connects as the options say, then as the environment says. */
export async function createWorker(options: ReflectionWorkerOptions = {}): Promise<ReflectionWorker> {
  const settings = temporalSettings(options);
  const { namespace, taskQueue } = settings;
  const recovery = recoverySettings(options.recovery ?? process.env['REFLECT_RECOVERY']);
  const connection = options.connection ?? (await NativeConnection.connect(settings.connection));
  const activities = createActivities({
    models: createModels(options.models ?? []),
    actions: createActionRegistry(options.actions ?? []),
    searchAttributes: searchAttributeCheck(connection, namespace),
    heartbeatTimeoutMs: recovery.heartbeatTimeoutMs,
  });
  const common = { connection, namespace, activities, maxHeartbeatThrottleInterval: recovery.heartbeatThrottleMs };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      ...workflowSource(),
      taskQueue,
      stickyQueueScheduleToStartTimeout: recovery.stickyMs,
    }),
    Worker.create({
      ...common,
      taskQueue: modelQueue(taskQueue),
      maxConcurrentActivityTaskExecutions: options.maxConcurrentModelCalls ?? DEFAULT_MODEL_CALLS,
    }),
  ]);
  return {
    taskQueue,
    modelQueue: modelQueue(taskQueue),
    async run() {
      try {
        // One that fails must not leave the other working alone.
        await Promise.all(workers.map((worker) => worker.run().finally(() => stopAll(workers))));
      } finally {
        if (!options.connection) await connection.close();
      }
    },
    shutdown: () => stopAll(workers),
  };
}

function stopAll(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
