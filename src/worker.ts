import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { type TemporalOverrides, temporalSettings, type WorkerDeployment, workerDeployment } from './lib/config';
import {
  HEARTBEAT_THROTTLE_MS,
  heartbeatsOf,
  readingTime,
  type RecoverySettings,
  recoverySettings,
} from './lib/limits/recovery';
import { type FieldChecks, isAny, PLACE, soundFields } from './loop/errors/config-fields';
import { modelQueue } from './lib/names/task-queues';
import type { CircuitStatus } from './lib/models';
import { type Readiness, readinessOf } from './lib/observability/readiness';
import { attachmentStorageOf, closeStorage, dataConverterFrom, resultStorageOf, valueStorageOf } from './lib/storage';
import { ACTIVATION_TIME } from './worker/activation-time';
import {
  AFTER_DRAIN_MS,
  type Closers,
  createTogether,
  endsWithin,
  runTogether,
  stopAll,
  runThenClose,
} from './worker/running/run-together';
import { assertOneSdk } from './worker/sdk/sdk-copies';
import { tellSdkGaps } from './worker/sdk/sdk-gaps';
import { searchAttributeCheck } from './worker/search-attribute-check';
import { serveFrom, type Serve } from './worker/serve';
import { modelCallLimits, workerServices } from './worker/worker-services';
import { ofModels, type TemporalOptions, withSlots } from './worker/temporal-options';
import { WORK, type WorkOptions } from './worker/work-options';
import { workflowSource } from './worker/workflow-source';

export { defineAction } from './actions/define-action';
export type { Action, ActionContext } from './actions/types';
export { boundedFetch, type BoundedFetchOptions } from './lib/fetch/bounded-fetch';
export type { ExternalCommand } from './lib/external';
export { CodeFailed, checkLevels, defaultLevel, type Execution, type LevelCheck, sandboxLevel } from './lib/sandbox';
export type { SandboxLevel, SandboxLimits, SandboxOptions } from './lib/sandbox';
export { type Embedder, type Memory, MemoryInUseError, type MemorySettings, openMemory } from './lib/memory';
export type { CircuitOptions, CircuitStatus, PriceTable } from './lib/models';
export type { WorkerDeployment } from './lib/config';
export type { EndpointLimits } from './lib/models/circuits/endpoint-limits';
export { readModelsFile } from './worker/models-file/read-models-file';
export { InvalidMcpServers, readMcpFile } from './worker/mcp';
export type { McpProgram, McpServer, McpServerSettings, McpService } from './worker/mcp';
export type { AiSdkEmbeddingModel, AiSdkLanguageModel } from './lib/models/ai-sdk/ai-sdk-model';
export { type AiSdkOptions, fromAiSdk } from './lib/models/ai-sdk/from-ai-sdk';
export type {
  CustomModel,
  ModelEmbeddingReply,
  ModelEmbeddingRequest,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
} from './lib/models/own/custom-model';
export { ModelCallError } from './lib/models/own/model-call-error';
export type { ModelAttachment, ModelConfig, ModelPrices, ReplySchema, ToolDescription } from './lib/models/types';
export { type OptionalFeature, type OptionalPackage, PackageMissing } from './lib/optional-packages';
export { startObservabilityServer } from './lib/observability/http-server';
export type { Instrumentation, ModelCall, ModelCallEnd } from './lib/observability/instrumentation';
export { type CircuitState, WorkerMetrics } from './lib/observability/metrics';
export type { Readiness } from './lib/observability/readiness';
export { installRuntime, type RuntimeSettings } from './lib/observability/runtime';
export { traceModelCalls, type TraceOptions } from './lib/observability/trace-model-calls';
export type { RecoveryProfile } from './lib/limits/recovery';
export { ReflectionPlugin, type ReflectionPluginOptions } from './worker/plugin';
export {
  externalCallsFrom,
  namesFrom,
  sandboxFrom,
  switchLines,
  type Switches,
  workerSwitches,
} from './worker/switches';
export { WorkflowBundleError } from './worker/bundle/own-bundle';
export { type SdkCopy, SdkCopiesError } from './worker/sdk/sdk-copies';
export { serveFrom, type Serve } from './worker/serve';
export type { TemporalOptions, TemporalWorkerOptions } from './worker/temporal-options';
export type {
  AllowLists,
  ExternalCallsOptions,
  NotifyOptions,
  WorkerMemorySettings,
  WorkOptions,
} from './worker/work-options';

export interface ReflectionWorkerOptions extends TemporalOverrides, WorkOptions {
  /** A connection that the caller owns. Default: one is opened, and closed with the worker. */
  connection?: NativeConnection;
  /**
   * Makes this a versioned worker. It gets no tasks until its version is made current. Default: `REFLECT_DEPLOYMENT`
   * and `REFLECT_BUILD_ID`, or no version.
   */
  deployment?: WorkerDeployment;
  /**
   * Milliseconds that calls in flight may take to finish after `shutdown`. Then they are cancelled, and other workers
   * make them again. Default 30000.
   */
  drainMs?: number;
}

/** A running pair of workers: workflows and cheap activities on the queue, model calls on `<queue>-models`. */
export interface ReflectionWorker {
  readonly taskQueue: string;
  readonly modelQueue: string;
  /** Which of the two queues it polls. */
  readonly serve: Serve;
  /** The circuit of every model that this process has called: closed, open or half-open. */
  circuitStates(): CircuitStatus[];
  /** The worker's version, if it has one. */
  readonly deployment?: WorkerDeployment;
  /**
   * Runs until `shutdown`, then lets calls in flight finish: it ends within `drainMs` plus 15 s, even if something
   * hangs.
   *
   * @throws the first failure
   */
  run(): Promise<void>;
  shutdown(): void;
  /** Whether it takes tasks. It does not while it starts or drains, or if it cannot reach the server. */
  readiness(): Promise<Readiness>;
}

const CHECKS: FieldChecks<ReflectionWorkerOptions> = { ...WORK, ...PLACE, connection: isAny, deployment: isAny };

const DEFAULT_DRAIN_MS = 30_000;

/**
 * Returns the versioning options of both workers. Both queues have the same version, so that a run's model calls stay with
 * it, too. Runs are pinned here and not in workflow code, because the server refuses the tasks of a workflow that names a
 * versioning behaviour on a worker without a version.
 */
function versioningOptionsOf(deployment: WorkerDeployment | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (!deployment) return {};
  const version = { deploymentName: deployment.name, buildId: deployment.buildId };
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
  };
}

type Common = Pick<
  WorkerOptions,
  'connection' | 'namespace' | 'activities' | 'dataConverter' | 'maxHeartbeatThrottleInterval'
>;

function loopWorkerOptions(
  { loops = {} }: TemporalOptions = {},
  { common, taskQueue, recovery }: { common: Common; taskQueue: string; recovery: RecoverySettings },
): WorkerOptions {
  const { interceptors: own, ...source } = workflowSource(common.dataConverter);
  return {
    ...common,
    ...source,
    ...ACTIVATION_TIME,
    taskQueue,
    stickyQueueScheduleToStartTimeout: recovery.stickyMs,
    ...loops,
    interceptors: { ...own, ...loops.interceptors },
  };
}

function modelWorkerOptions(
  limits: Parameters<typeof withSlots>[0],
  { temporal }: WorkOptions,
  { common, taskQueue }: { common: Common; taskQueue: string },
): WorkerOptions {
  return { ...common, taskQueue: modelQueue(taskQueue), ...withSlots(limits, ofModels(temporal)) };
}

/**
 * Creates a worker that serves reflection loops. Connects with the options, then with the environment.
 *
 * @throws InvalidConfigError for an unknown option; TypeError, InvalidStorageSettings or InvalidCodecKeys for options or variables
 *   that cannot be used; SdkCopiesError for two copies of the SDK; an error of the SDK if the server cannot be reached
 */
export async function createWorker(given: ReflectionWorkerOptions = {}): Promise<ReflectionWorker> {
  const options: ReflectionWorkerOptions = soundFields(given, CHECKS);
  assertOneSdk();
  tellSdkGaps();
  const settings = temporalSettings(options);
  const { namespace, taskQueue } = settings;
  const deployment = workerDeployment(options.deployment);
  const recovery = recoverySettings(options.recovery ?? process.env['REFLECT_RECOVERY']);
  const { drainMs = DEFAULT_DRAIN_MS } = options;
  const serve = serveFrom(options.serve ?? process.env['REFLECT_SERVE']);
  const dataConverter = options.dataConverter ?? dataConverterFrom(process.env, { namespaces: [namespace] });
  const storage = resultStorageOf(dataConverter, readingTime(recovery));
  const limits = serve === 'loops' ? {} : modelCallLimits(options);
  const place: { connection?: NativeConnection } = {};
  const { activities, circuitStates, close } = workerServices(options, {
    searchAttributes: searchAttributeCheck(() => place.connection, namespace),
    storage,
    attachments: attachmentStorageOf(dataConverter, () => namespace),
    values: valueStorageOf(dataConverter, () => namespace),
    heartbeats: () => heartbeatsOf(recovery),
  });
  const connection = options.connection ?? (await NativeConnection.connect(settings.connection));
  place.connection = connection;
  const closers: Closers = {
    'what serves activities': close,
    ...(options.connection ? {} : { 'the connection': () => connection.close() }),
    ...(options.dataConverter ? {} : { 'the storage': () => closeStorage(dataConverter) }),
  };
  const common = {
    connection,
    namespace,
    activities,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: drainMs,
    shutdownForceTime: drainMs + AFTER_DRAIN_MS,
    ...(dataConverter ? { dataConverter: storage?.converter ?? dataConverter } : {}),
    ...versioningOptionsOf(deployment),
  };
  const workers = await createTogether([
    ...(serve === 'models'
      ? []
      : [Worker.create(loopWorkerOptions(options.temporal, { common, taskQueue, recovery }))]),
    ...(serve === 'loops' ? [] : [Worker.create(modelWorkerOptions(limits, options, { common, taskQueue }))]),
  ]).catch(async (error: unknown): Promise<never> => {
    await runThenClose(() => Promise.reject(error as Error), closers);
    throw error;
  });
  return {
    taskQueue,
    modelQueue: modelQueue(taskQueue),
    serve,
    circuitStates,
    ...(deployment ? { deployment } : {}),
    run: () =>
      runThenClose(
        () =>
          runTogether(
            workers.map((worker) => ({ worker, run: () => worker.run() })),
            endsWithin(drainMs),
          ),
        closers,
      ),
    shutdown: () => stopAll(workers),
    readiness: () => readinessOf(workers, connection),
  };
}
