import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActionRegistry } from './actions/registry';
import type { Action } from './actions/types';
import { createActivities } from './activities/index';
import { modelFailureType } from './activities/failures';
import { EXTERNAL_OUTPUT_BYTES } from './activities/output-size';
import { failureConverterPath } from './codec/index';
import { type TemporalOverrides, temporalSettings, type WorkerDeployment, workerDeployment } from './config';
import { type RecoveryProfile, recoverySettings } from './domain/recovery';
import { SEARCH_ATTRIBUTES } from './domain/search-attributes';
import { modelQueue } from './domain/task-queues';
import { type CircuitOptions, type CircuitStatus, createModels, type PriceTable } from './models/index';
import { DEFAULT_MODEL } from './models/model-names';
import type { ModelConfig } from './models/types';
import type { Instrumentation } from './observability/instrumentation';
import { observedModels } from './observability/observed-models';
import { type Readiness, readinessOf } from './observability/readiness';
import { closeStorage, dataConverterFrom } from './storage/index';

export { defineAction } from './actions/define-action';
export type { Action, ActionContext } from './actions/types';
export type { CircuitOptions, CircuitStatus, PriceTable } from './models/index';
export type { WorkerDeployment } from './config';
export type { ModelConfig, ModelPrices } from './models/types';
export { startObservabilityServer } from './observability/http-server';
export type { Instrumentation, ModelCall, ModelCallEnd } from './observability/instrumentation';
export { type CircuitState, WorkerMetrics } from './observability/metrics';
export type { Readiness } from './observability/readiness';
export { installRuntime, type RuntimeSettings } from './observability/runtime';
export { traceModelCalls, type TraceOptions } from './observability/trace-model-calls';
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
   * Model calls a second that the task server hands out at most, to all workers of the queue together. Attempts count,
   * those of a call that failed included. Default: as many as there are. Workers of a queue should agree: the last wins.
   */
  maxModelCallsPerSecond?: number;
  /** When a model that is down is left alone, for each endpoint and model. False: never. */
  circuitBreaker?: CircuitOptions | false;
  /** Prices by the provider's name of a model, where its configuration has none. None are built in. */
  prices?: PriceTable;
  /**
   * How payloads are written; clients need the same. Default: what `REFLECT_STORAGE` and `REFLECT_CODEC_KEYS` say. One that
   * is given is not closed with the worker.
   */
  dataConverter?: DataConverter;
  /**
   * Makes this a versioned worker; default: `REFLECT_DEPLOYMENT` and `REFLECT_BUILD_ID`, else no version. It gets no tasks
   * until its version is made current.
   */
  deployment?: WorkerDeployment;
  /** Watch model calls: `WorkerMetrics`, `traceModelCalls`, or your own. */
  instrumentations?: Instrumentation[];
  /**
   * Milliseconds that calls under way get to finish after `shutdown`. Then they are cancelled, and other workers make them
   * again. Default 30000.
   */
  drainMs?: number;
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
  /** The circuit of every model that this process has called: closed, open or half-open. */
  circuitStates(): CircuitStatus[];
  /** The worker's version, if it has one. */
  readonly deployment?: WorkerDeployment;
  /** Works until `shutdown`, then lets what is under way come to its end. */
  run(): Promise<void>;
  shutdown(): void;
  /** Whether it takes tasks: not while it starts, drains, or cannot reach the server. */
  readiness(): Promise<Readiness>;
}

/** Workflow code in one file, as `npm run build` makes it: a worker that has it starts without bundling. */
const BUNDLE = join(__dirname, 'workflow-bundle.js');

/** The same, with the failure converter that encryption needs inside: a bundle cannot be given one later. */
const ENCODED_BUNDLE = join(__dirname, 'workflow-bundle-encoded.js');

const DEFAULT_MODEL_CALLS = 1_000;

const DEFAULT_DRAIN_MS = 30_000;

/** What a cancelled call gets to come to its end. Then the worker ends without it, and its heartbeats stop. */
const AFTER_DRAIN_MS = 10_000;

function workflowSource(converter: DataConverter = {}): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  const bundle = bundleFor(converter);
  if (bundle !== undefined && existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: require.resolve('./workflows/index') };
}

/** The bundle that was built for a converter; none for converters of the caller's own, which are bundled at the start. */
function bundleFor(converter: DataConverter): string | undefined {
  if (converter.payloadConverterPath !== undefined) return undefined;
  if (converter.failureConverterPath === undefined) return BUNDLE;
  return converter.failureConverterPath === failureConverterPath ? ENCODED_BUNDLE : undefined;
}

/**
 * Both queues are of one version, so that a run's model calls stay with it, too. Runs are pinned here and not in workflow
 * code: the server refuses the tasks of a workflow that names a versioning behaviour on a worker without a version.
 */
function versioning(deployment: WorkerDeployment | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (!deployment) return {};
  const version = { deploymentName: deployment.name, buildId: deployment.buildId };
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
  };
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
  const deployment = workerDeployment(options.deployment);
  const recovery = recoverySettings(options.recovery ?? process.env['REFLECT_RECOVERY']);
  const connection = options.connection ?? (await NativeConnection.connect(settings.connection));
  const { drainMs = DEFAULT_DRAIN_MS } = options;
  const models = createModels(options.models ?? [], process.env, {
    ...(options.circuitBreaker === undefined ? {} : { circuitBreaker: options.circuitBreaker }),
    ...(options.prices ? { prices: options.prices } : {}),
    onCircuitChange: (status) =>
      Runtime.instance().logger.warn(`the circuit of a model is ${status.state}`, { ...status }),
  });
  const dataConverter = options.dataConverter ?? dataConverterFrom(process.env);
  const activities = createActivities({
    models: observedModels(models, {
      instrumentations: options.instrumentations ?? [],
      configs: options.models ?? [],
      defaultModel: process.env['OPENAI_MODEL'] || DEFAULT_MODEL,
      failureType: modelFailureType,
    }),
    actions: createActionRegistry(options.actions ?? []),
    searchAttributes: searchAttributeCheck(connection, namespace),
    ...(dataConverter?.externalStorage ? { maximumOutputBytes: EXTERNAL_OUTPUT_BYTES } : {}),
    heartbeatTimeoutMs: recovery.heartbeatTimeoutMs,
  });
  const common = {
    connection,
    namespace,
    activities,
    maxHeartbeatThrottleInterval: recovery.heartbeatThrottleMs,
    shutdownGraceTime: drainMs,
    shutdownForceTime: drainMs + AFTER_DRAIN_MS,
    ...(dataConverter ? { dataConverter } : {}),
    ...versioning(deployment),
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      ...workflowSource(dataConverter),
      taskQueue,
      stickyQueueScheduleToStartTimeout: recovery.stickyMs,
    }),
    Worker.create({
      ...common,
      taskQueue: modelQueue(taskQueue),
      maxConcurrentActivityTaskExecutions: options.maxConcurrentModelCalls ?? DEFAULT_MODEL_CALLS,
      ...(options.maxModelCallsPerSecond === undefined
        ? {}
        : { maxTaskQueueActivitiesPerSecond: options.maxModelCallsPerSecond }),
    }),
  ]);
  return {
    taskQueue,
    modelQueue: modelQueue(taskQueue),
    circuitStates: () => models.circuitStates(),
    ...(deployment ? { deployment } : {}),
    async run() {
      try {
        // One that fails must not leave the other working alone.
        await Promise.all(workers.map((worker) => worker.run().finally(() => stopAll(workers))));
      } finally {
        if (!options.connection) await connection.close();
        if (!options.dataConverter) await closeStorage(dataConverter);
      }
    },
    shutdown: () => stopAll(workers),
    readiness: () => readinessOf(workers, connection),
  };
}

function stopAll(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
