import { Runtime, type WorkerOptions } from '@temporalio/worker';
import type { Action, ActionRegistry } from '../actions/types';
import { createActionRegistry } from '../actions/registry';
import { validateSchemaAction } from '../evaluators/validate-schema';
import { addActivityPrefix, type Registered } from '../lib/names/activity-names';
import { modelFailureType } from '../activities/failures';
import { createActivities } from '../activities';
import type { ReflectionActivities } from '../activities/protocol';
import { EXTERNAL_OUTPUT_BYTES } from '../activities/execution/output-size';
import { timedActivities } from '../activities/execution/timed';
import { type AllowList, allows } from '../lib/base/allow-list';
import { Holds } from '../lib/limits/holds';
import type { Heartbeats } from '../lib/limits/recovery';
import { circuitLog } from '../lib/models/circuits/circuit-log';
import { type CircuitStatus, createModels } from '../lib/models';
import { type McpServers, withMcpServers } from './mcp';
import { mcpServersOf } from './mcp-servers';
import { modelsOf } from './models-file/models-of-worker';
import { observedModels } from '../lib/observability/observed-models';
import { createSandbox, type Sandbox, type SandboxOptions } from '../lib/sandbox';
import { receiverOf } from './notify';
import { isSwitchedOn } from '../lib/base/switched-on';
import { workerSwitches } from './switches';
import type { AttachmentStorage, ResultStorage, ValueStorage } from '../lib/storage';
import type { ActivityDependencies } from '../activities/dependencies';
import { USUALLY_STORED_FROM } from '../lib/limits/payload-limit';
import { judgeWarnings } from './running/judge-records';
import { workerMemory } from './worker-memory';
import { endIdleThreads } from '../lib/threads/offload';
import type { WorkOptions } from './work-options';
import { statSync, readFileSync } from 'node:fs';
import type { SchemaFolder } from '../evaluators/schema/references/schema-file';

/** Descriptors beside those of model calls: some 60 when idle, and those of activities, storage and interpreters. */
const RESERVED = 160;

/** The most descriptors that this process may open, because Node raises its own limit. Infinity if unknown. */
export function descriptorLimit(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits())?.[1];
    return Number(hard) || Infinity;
  } catch {
    // Not Linux, whose containers are the places with low limits.
    return Infinity;
  }
}

/**
 * The number of model calls that may be under way at the same time. Each takes a descriptor; and without one Node ends the process,
 * where it would time a template or a pattern, with all calls that are under way. Throws Error when there are not enough for a
 * single call.
 */
export function modelCallsWithin(wanted: number, limit = descriptorLimit()): number {
  const room = limit - RESERVED;
  if (wanted <= room) return wanted;
  const advice = `raise the hard limit (\`ulimit -Hn\`, or \`nofile\` of the container) to ${wanted + RESERVED}`;
  if (room < 1) {
    throw new Error(`This process may have ${limit} files and connections open, too few for a worker: ${advice}.`);
  }
  Runtime.instance().logger.warn(
    `This process may have ${limit} files and connections open: ${room} model calls at a time instead of ${wanted}; ${advice}.`,
  );
  return room;
}

/**
 * Throws TypeError for a value that is neither a folder nor an address; otherwise only the first run that needs it would fail.
 */
export function schemaFolderOf(options: WorkOptions, env: NodeJS.ProcessEnv): SchemaFolder | undefined {
  const root = options.schemaRoot ?? (env['REFLECT_SCHEMA_ROOT'] || undefined);
  const asked = options.schemaAddress ?? (env['REFLECT_SCHEMA_ADDRESS'] || undefined);
  if (root === undefined && asked === undefined) return undefined;
  if (root === undefined) throw new TypeError(`the address "${asked}" of schema files needs a schema root`);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`the schema root "${root}" is no folder`);
  }
  return asked === undefined ? { root } : { root, address: schemaAddress(asked) };
}

function schemaAddress(asked: string): string {
  const address = URL.canParse(asked) ? new URL(asked) : undefined;
  if (!address?.host || address.search || address.hash) {
    throw new TypeError(`the address of schema files must be like https://example.com/schemas/, and is "${asked}"`);
  }
  return address.href.endsWith('/') ? address.href : `${address.href}/`;
}

interface WorkPlace {
  searchAttributes(): Promise<boolean>;
  storage: ResultStorage | undefined;
  /** Pictures and files that runs refer to; undefined without a storage. */
  attachments?: AttachmentStorage | undefined;
  values?: ValueStorage | undefined;
  heartbeats(this: void): Heartbeats;
}

export interface WorkerServices {
  activities: Registered<ReflectionActivities>;
  circuitStates(): CircuitStatus[];
  close(): Promise<void>;
}

export function workerServices(options: WorkOptions, place: WorkPlace): WorkerServices {
  const { sandbox: shutIn, externalCalls, allow } = workerSwitches(options, process.env);
  const receiver = receiverOf(options, process.env);
  const models = createModels(modelsOf(options, process.env), process.env, {
    ...(allow.models ? { allowed: allow.models } : {}),
    ...(options.circuitBreaker === undefined ? {} : { circuitBreaker: options.circuitBreaker }),
    ...(options.prices ? { prices: options.prices } : {}),
    onCircuitChange: circuitLog((status) =>
      Runtime.instance().logger.warn(`the circuit of a model is ${status.state}`, { ...status }),
    ),
  });
  const observed = observedModels(models, {
    instrumentations: options.instrumentations ?? [],
    configs: models.served.configs,
    defaultModel: models.served.defaultModel,
    failureType: modelFailureType,
  });
  const memory = workerMemory(options, process.env, observed);
  const schemaFolder = schemaFolderOf(options, process.env);
  const mcp = mcpServersOf(options, process.env, allow.actions);
  const sandbox = sandboxFor(shutIn);
  const activities = createActivities({
    models: observed,
    noteJudge: judgeWarnings({ served: models.served, env: process.env }, (message, fields) =>
      Runtime.instance().logger.warn(message, { ...fields }),
    ),
    actions: servedActions([validateSchemaAction(schemaFolder), ...(options.actions ?? [])], allow.actions, mcp),
    external: externalCalls && {
      ...externalCalls,
      commands: options.commands ?? {},
      holds: new Holds(() => performance.now(), Math.random),
    },
    ...(sandbox && { sandbox }),
    ...(allow.agents && { allowedAgents: allow.agents }),
    ...(allow.workflows && { allowedWorkflows: allow.workflows }),
    ...(receiver && { notify: receiver }),
    ...memory.dependencies,
    ...(schemaFolder && { schemaFolder }),
    searchAttributes: place.searchAttributes,
    ...(options.runList && { runList: options.runList }),
    ...storageDependencies(place.storage),
    ...(place.attachments && { attachments: place.attachments }),
    ...promptDependencies(options, place, models.served.defaultModel),
    heartbeats: () => place.heartbeats(),
  });
  return {
    activities: addActivityPrefix(timedActivities(activities)),
    circuitStates: () => models.circuitStates(),
    async close() {
      await Promise.all([sandbox?.close(), memory.close(), mcp?.close(), endIdleThreads()]);
    },
  };
}

function storageDependencies(storage: ResultStorage | undefined): Partial<ActivityDependencies> {
  if (!storage) return {};
  const { storedFromBytes } = storage;
  return {
    maximumOutputBytes: EXTERNAL_OUTPUT_BYTES,
    ...(storedFromBytes > USUALLY_STORED_FROM ? { storedFromBytes } : {}),
    largeResults: storage,
  };
}

/** The storage of prompts, if they are kept. Throws TypeError without one: prompts would be missed too late. */
function promptDependencies(
  { keepPrompts = isSwitchedOn(process.env['REFLECT_KEEP_PROMPTS']) }: WorkOptions,
  { values }: WorkPlace,
  defaultModel: string,
): Pick<ActivityDependencies, 'prompts'> {
  if (!keepPrompts) return {};
  if (!values) {
    throw new TypeError(
      'prompts can be kept (REFLECT_KEEP_PROMPTS, keepPrompts) only where large payloads are stored in a folder, PostgreSQL or S3: set REFLECT_STORAGE',
    );
  }
  return { prompts: { put: (given) => values.put(given), defaultModel } };
}

function sandboxFor(options: SandboxOptions | false): Sandbox | undefined {
  if (options === false) return undefined;
  return createSandbox({
    ...options,
    onExecution: (execution) => {
      Runtime.instance().logger.info('execution of inline code', { ...execution });
      options.onExecution?.(execution);
    },
  });
}

/** The actions that a worker serves. Throws TypeError for an allowed name without an action: it is misspelt. */
function servedActions(
  actions: readonly Action[],
  allowed: AllowList | undefined,
  mcp: McpServers | undefined,
): ActionRegistry {
  const all = createActionRegistry(actions);
  const strange = allowed?.find((entry) => !entry.endsWith('*') && !all.find(entry) && !mcp?.has(entry));
  if (strange !== undefined)
    throw new TypeError(`the action "${strange}" is allowed and not registered; there are ${all.names.join(', ')}`);
  const own = allowed ? createActionRegistry(actions.filter(({ name }) => allows(allowed, name))) : all;
  return mcp ? withMcpServers(own, mcp) : own;
}

const DEFAULT_MODEL_CALLS = 1_000;

/** The model calls that the worker of `<queue>-models` takes. Throws Error for too few descriptors. */
export function modelCallLimits({
  maxConcurrentModelCalls = DEFAULT_MODEL_CALLS,
  maxModelCallsPerSecond,
}: WorkOptions): Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'maxTaskQueueActivitiesPerSecond'> {
  return {
    maxConcurrentActivityTaskExecutions: modelCallsWithin(maxConcurrentModelCalls),
    ...(maxModelCallsPerSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: maxModelCallsPerSecond }),
  };
}
