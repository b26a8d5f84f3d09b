import type { DataConverter } from '@temporalio/common';
import type { Action } from '../actions/types';
import type { RecoveryProfile } from '../domain/spec/recovery';
import type { ExternalCalls, ExternalCommand } from '../external/index';
import type { CircuitOptions, PriceTable } from '../models/index';
import type { Serve } from './serve';
import type { TemporalOptions } from './temporal-options';
import type { Memory, MemorySettings } from '../memory/index';
import type { ModelConfig } from '../models/types';
import type { SandboxOptions } from '../sandbox/index';
import type { Instrumentation } from '../observability/instrumentation';

/** Where a worker's runs keep what they learned, and how it is recalled. */
export interface WorkerMemorySettings extends MemorySettings {
  /**
   * The model by whose embeddings relevance is measured: a name as in specs, of an endpoint that has `/embeddings`. Each insight is
   * embedded once, and each query of a recall. Default: `REFLECT_EMBEDDING_MODEL`, else none, and words decide.
   */
  embeddingModel?: string;
}

/** Calls of `external` evaluators. */
export type ExternalCallsOptions = Pick<ExternalCalls, 'allowPrivateAddresses'> & { hosts?: string[] };

/**
 * What runs may use of a worker. Each list has names; one that ends with `*` stands for all that begin so. An empty list
 * allows none.
 */
export interface AllowLists {
  /** Registered actions, in every place where one may stand. Default: `REFLECT_ALLOWED_ACTIONS`, else all. */
  actions?: string[];
  /**
   * Agents whose memories runs may use; those of a population are `<workflow id>/<agent>`. Default: `REFLECT_ALLOWED_AGENTS`,
   * else all: who may start runs can recall what any other run of the namespace learned.
   */
  agents?: string[];
  /**
   * Models that specs may name. The default model must be one of them; with `models`, it is the first that is. Default:
   * `REFLECT_ALLOWED_MODELS`, else all.
   */
  models?: string[];
}

/** What a worker offers to loops: the same for `createWorker` and `ReflectionPlugin`. */
export interface WorkOptions {
  /** With none, every model name goes to `OPENAI_BASE_URL`. The first is the default. */
  models?: ModelConfig[];
  actions?: Action[];
  /** Programs that `external` evaluators may name. They run as the worker's user, without a shell. */
  commands?: Record<string, ExternalCommand>;
  /**
   * Which calls `external` evaluators may make: to these hosts (`judge.example.com`, `*.example.com`, `*` for all), and to addresses
   * that are not public or not. False: none, neither to services nor to `commands`; specs with such an evaluator are refused.
   * Default: `REFLECT_EXTERNAL_CALLS` (`on`, `off` or hosts), else to all public hosts, and
   * `REFLECT_ALLOW_PRIVATE_ADDRESSES`, else to no address that is not public.
   */
  externalCalls?: ExternalCallsOptions | false;
  /** What runs may use of the worker; specs that need something else are refused. */
  allow?: AllowLists;
  /**
   * The folder whose files (JSON or YAML) the `$ref` of schemas may name. Default: `REFLECT_SCHEMA_ROOT`, else there is none and
   * such references are refused.
   */
  schemaRoot?: string;
  /**
   * Where runs keep what they learned: settings, or a memory that its owner closes; false: nowhere, and specs with `memory` are
   * refused. Settings that are not given, and the place with them, are those of the environment (`DATABASE_URL`,
   * `REFLECT_MEMORY_FOLDER`, else `.reflect/memory`, and others: docs/memory.md). Opened when a run needs it. Agents of `agentReflection` use it only where it is given here.
   */
  memory?: WorkerMemorySettings | Memory | false;
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
   * How inline code is shut in, and its limits. Level: default `REFLECT_SANDBOX`, else `namespaces` on Linux, `process` elsewhere;
   * code is refused where the machine does not grant it. False, or `REFLECT_SANDBOX=off` where no level is given here: this worker
   * runs no inline code, and specs with code are refused.
   */
  sandbox?: SandboxOptions | false;
  /** Watch model calls: `WorkerMetrics`, `traceModelCalls`, or your own. */
  instrumentations?: Instrumentation[];
  /**
   * How soon runs go on after a crash, against what that costs and how long a worker may stall: `standard`, `steady` or `fast`
   * (docs/decisions/recovery-profiles.md). Default: `REFLECT_RECOVERY`, else `standard`. Workers of a queue should agree.
   */
  recovery?: RecoveryProfile;
  /**
   * When the run list of the Web UI changes beside the start of a loop, its waits and its end: with `each_version` also with each version.
   * Each change is an event, and on Temporal Cloud a billable action. Default: not.
   */
  runList?: 'each_version';
  /**
   * What of the queue's work this process serves: `loops` (runs, steps and checks, on the queue), `models` (calls, on `<queue>-models`), or
   * `both`. A queue needs workers of both. Default: `REFLECT_SERVE`, else `both`. With `ReflectionPlugin`: whether it starts a
   * second worker for model calls beside yours (`both`) or not; with `models`, the task queue of yours is `<queue>-models`.
   */
  serve?: Serve;
  /**
   * Options of the SDK for our workers: slots, a tuner, pollers, cache size, identity, interceptors. With `ReflectionPlugin` those
   * of `loops` are yours to give to `Worker.create`, and only `models` is taken here.
   */
  temporal?: TemporalOptions;
}
