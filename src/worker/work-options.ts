import type { DataConverter } from '@temporalio/common';
import type { Action } from '../actions/types';
import type { RecoveryProfile } from '../lib/limits/recovery';
import type { ExternalCalls, ExternalCommand } from '../lib/external';
import type { CircuitOptions, PriceTable } from '../lib/models';
import type { Serve } from './serve';
import type { TemporalOptions } from './temporal-options';
import type { Memory, MemorySettings } from '../lib/memory';
import type { CustomModel } from '../lib/models/own/custom-model';
import type { ModelConfig } from '../lib/models/types';
import type { McpServerSettings } from './mcp';
import type { SandboxOptions } from '../lib/sandbox';
import { type FieldChecks, isNotNegative, isTrueOrFalse, isAny } from '../loop/errors/config-fields';
import type { Instrumentation } from '../lib/observability/instrumentation';

/** The settings for storing and recalling the insights of a worker's runs. */
export interface WorkerMemorySettings extends MemorySettings {
  /**
   * The model whose embeddings measure relevance: a name as in specs, of an endpoint that offers `/embeddings`. Each
   * insight and each query of a recall is embedded once. Default: `REFLECT_EMBEDDING_MODEL`, or none; then relevance
   * compares words.
   */
  embeddingModel?: string;
}

/** Options for the calls of `external` evaluators. */
export type ExternalCallsOptions = Pick<ExternalCalls, 'allowPrivateAddresses'> & { hosts?: readonly string[] };

/** The receiver of notifications, which a worker posts when its runs wait for a person (docs/notifications.md). */
export interface NotifyOptions {
  /** Address of the receiver. Its host is called whatever `externalCalls` names; private addresses as `externalCalls` says. */
  url: string;
  /**
   * The environment variable of the worker with the secret that signs messages, as text or as `whsec_` and base64. It is read
   * when a message is sent. Two secrets with a space between them, the new one first, both sign: a secret is replaced so.
   */
  secretVariable: string;
  /** Further headers, such as `authorization`. They are in no history, log or error. */
  headers?: Readonly<Record<string, string>>;
  /** `text`: messages contain the text under review. Default: only its digest. */
  include?: 'text';
  links?: {
    /** Address of the Temporal Web UI. Default: `TEMPORAL_UI_URL`, or no link. */
    webUi?: string;
    /**
     * Address of the review page of a run, in which `{workflowId}` is replaced by its id. Default: `REFLECT_REVIEW_URL`, or no link.
     */
    review?: string;
  };
}

/**
 * The parts of a worker that runs may use. Each list has names; a name that ends with `*` matches all names with that
 * prefix. An empty list allows none.
 */
export interface AllowLists {
  /** Registered actions, in every place where a spec can name one. Default: `REFLECT_ALLOWED_ACTIONS`, or all. */
  actions?: readonly string[];
  /**
   * Agents whose memories runs may use; those of a population are `<workflow id>/<agent>`. Default:
   * `REFLECT_ALLOWED_AGENTS`, or all: any user who may start runs can recall what any other run of the namespace learned.
   */
  agents?: readonly string[];
  /**
   * Models that specs may name. The default model must be one of them; with the option `models`, it is the first that
   * is allowed. Default: `REFLECT_ALLOWED_MODELS`, or all.
   */
  models?: readonly string[];
  /**
   * Workflows that steps and evaluators may call (`{ workflow }`). A plan that a planner made may call only those that
   * are listed. Default: `REFLECT_ALLOWED_WORKFLOWS`, or all.
   */
  workflows?: readonly string[];
}

/** The features that a worker offers to loops: the same for `createWorker` and `ReflectionPlugin`. */
export interface WorkOptions {
  /**
   * The models of the worker: endpoints that speak OpenAI's protocol, models of your own (`{ name, call }`), and those of
   * the AI SDK (`fromAiSdk`). The first is the default. Default: those of the file that `REFLECT_MODELS` names, else every
   * model name goes to `OPENAI_BASE_URL`.
   */
  models?: readonly (ModelConfig | CustomModel)[];
  actions?: readonly Action[];
  /**
   * Servers of the Model Context Protocol, by name: their tools are actions, `mcp.<server>.<tool>`. A server is started
   * or connected to when a run first needs it, and ends with the worker. All workers of both queues need the same
   * servers. Needs the package `@modelcontextprotocol/sdk`. Default: those of the file that `REFLECT_MCP` names, or
   * none.
   */
  mcpServers?: McpServerSettings;
  /** Programs that `external` evaluators may name. They run as the worker's user, without a shell. */
  commands?: Readonly<Record<string, ExternalCommand>>;
  /**
   * Which calls `external` evaluators may make: the permitted hosts (`judge.example.com`, `*.example.com`, `*` for
   * all), and whether addresses that are not public are permitted. False: none, neither to services nor to `commands`;
   * specs with such an evaluator are refused. Default: `REFLECT_EXTERNAL_CALLS` (`on`, `off` or hosts), or all public
   * hosts; and `REFLECT_ALLOW_PRIVATE_ADDRESSES`, or no address that is not public.
   */
  externalCalls?: ExternalCallsOptions | false;
  /**
   * The receiver of notifications when runs wait for a person. False: none. Default: `REFLECT_NOTIFY_URL`, or none; the secret is then
   * in `REFLECT_NOTIFY_SECRET`. Runs keep the decision that the worker made which prepared them. All workers of a queue should
   * have the same receiver.
   */
  notify?: NotifyOptions | false;
  /** The parts of the worker that runs may use; specs that need something else are refused. */
  allow?: AllowLists;
  /**
   * The folder with the files (JSON or YAML) that a `$ref` in a schema may name. Default: `REFLECT_SCHEMA_ROOT`, or
   * none; then such references are refused.
   */
  schemaRoot?: string;
  /**
   * The address of that folder, as in `https://example.com/schemas/`: references to addresses below it are read from the
   * folder, and never fetched. Default: `REFLECT_SCHEMA_ADDRESS`, or none; then references to addresses are refused.
   */
  schemaAddress?: string;
  /**
   * The memory in which runs store insights: settings, or a memory that the caller closes. False: none, and specs with
   * `memory` are refused. Settings that are left out, including the location, come from the environment (`DATABASE_URL`,
   * `REFLECT_MEMORY_FOLDER`, or `.reflect/memory`, and others: docs/memory.md). Opened when a run needs it. A folder needs
   * the package `@electric-sql/pglite`; without it, specs with `memory` are refused if no folder is named. Agents of
   * `agentReflection` use the memory only if it is given here.
   */
  memory?: WorkerMemorySettings | Memory | false;
  /** Maximum number of concurrent model calls. Default 1000: they only wait, so memory is their limit. */
  maxConcurrentModelCalls?: number;
  /**
   * Maximum number of model calls that the Temporal server dispatches per second, to all workers of the queue together.
   * Every attempt counts, also of failed calls. All workers of a queue should have the same value: the last one wins.
   * Default: no limit.
   */
  maxModelCallsPerSecond?: number;
  /** When calls to a model that is down are stopped, for each endpoint and model. False: never. */
  circuitBreaker?: CircuitOptions | false;
  /**
   * Prices by the provider's name of a model, for models whose configuration has none. There are no built-in prices.
   */
  prices?: PriceTable;
  /**
   * How payloads are encoded; clients need the same converter. Default: as `REFLECT_STORAGE` and `REFLECT_CODEC_KEYS`
   * say. A converter that you pass is not closed with the worker.
   */
  dataConverter?: DataConverter;
  /**
   * Keeps what each model call was sent and answered in the storage of large payloads (`REFLECT_STORAGE`), without secrets and
   * judges' codes, for `reflect show --prompts`. `reflect sweep` deletes it with everything else there. Default:
   * `REFLECT_KEEP_PROMPTS` (`1`), or false.
   */
  keepPrompts?: boolean;
  /**
   * How inline code is isolated, and its limits. Default level: `REFLECT_SANDBOX`, or `namespaces` on Linux and
   * `process` elsewhere; code is refused if the machine does not support the level. False, or `REFLECT_SANDBOX=off`
   * without a level here: this worker runs no inline code, and specs with code are refused.
   */
  sandbox?: SandboxOptions | false;
  /** Observers of model calls: `WorkerMetrics`, `traceModelCalls`, or your own. */
  instrumentations?: readonly Instrumentation[];
  /**
   * How soon runs continue after a crash, traded against the cost of heartbeats and the stalls that a worker survives:
   * `standard`, `steady` or `fast` (docs/decisions/recovery-profiles.md). All workers of a queue should have the same
   * profile. Default: `REFLECT_RECOVERY`, or `standard`.
   */
  recovery?: RecoveryProfile;
  /**
   * `each_version`: the search attributes of a loop are also updated with each version. Each update is an event, and on
   * Temporal Cloud a billable action. Default: only at the start of a loop, at its waits and at its end.
   */
  runList?: 'each_version';
  /**
   * Which task queues this process polls: `loops` (`<queue>`: runs, steps and checks), `models` (`<queue>-models`:
   * model calls), or `both`. Both queues need workers. Default: `REFLECT_SERVE`, or `both`. With `ReflectionPlugin`:
   * `both` starts a second worker for model calls in addition to yours, `loops` does not, and with `models` the task
   * queue of your worker is `<queue>-models`.
   */
  serve?: Serve;
  /**
   * Options of the SDK for our workers: slots, a tuner, pollers, cache size, identity, interceptors. With
   * `ReflectionPlugin`, pass those of `loops` to `Worker.create` yourself; only `models` is used here.
   */
  temporal?: TemporalOptions;
}

export const WORK: FieldChecks<WorkOptions & { drainMs?: number }> = {
  drainMs: isNotNegative,
  models: isAny,
  actions: isAny,
  mcpServers: isAny,
  commands: isAny,
  externalCalls: isAny,
  notify: isAny,
  allow: isAny,
  schemaRoot: isAny,
  schemaAddress: isAny,
  memory: isAny,
  maxConcurrentModelCalls: isAny,
  maxModelCallsPerSecond: isAny,
  circuitBreaker: isAny,
  prices: isAny,
  dataConverter: isAny,
  keepPrompts: isTrueOrFalse,
  sandbox: isAny,
  instrumentations: isAny,
  recovery: isAny,
  runList: isAny,
  serve: isAny,
  temporal: isAny,
};
