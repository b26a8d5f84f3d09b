import { existsSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { DEFAULT_TASK_QUEUE } from './domain/base/task-queues';

/** How to reach a Temporal server: what `Connection.connect` and `NativeConnection.connect` take, and the namespace. */
export interface TemporalSettings {
  connection: { address: string; [option: string]: unknown };
  namespace: string;
  taskQueue: string;
}

/**
 * Bytes of an answer that a client takes: a page of a history with outputs of 1 MB is larger than the 4 MiB that gRPC takes by default. The
 * SDK means to say 128 MiB, and says it by a name that gRPC does not know.
 */
export const LARGE_ANSWERS = { 'grpc.max_receive_message_length': 128 * 1024 * 1024 };

/** What a caller says explicitly; it wins over the environment. */
export interface TemporalOverrides {
  address?: string;
  namespace?: string;
  taskQueue?: string;
}

/**
 * The settings from explicit options, then the SDK's environment configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`,
 * `TEMPORAL_API_KEY`, `TEMPORAL_TLS_*`, profiles in its TOML file), then defaults: `127.0.0.1:7233`, `default`. The task queue
 * comes from `REFLECT_TASK_QUEUE`, else `reflection`.
 *
 * @throws Error for a profile that there is not, and TypeError for a file that there is not: the SDK would take it for an empty one
 */
export function temporalSettings(overrides: TemporalOverrides = {}): TemporalSettings {
  const file = process.env['TEMPORAL_CONFIG_FILE'];
  if (file && !existsSync(file)) throw new TypeError(`There is no file "${file}", which TEMPORAL_CONFIG_FILE names.`);
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    connection: { ...connectionOptions, address: overrides.address ?? connectionOptions.address ?? '127.0.0.1:7233' },
    namespace: overrides.namespace ?? namespace ?? 'default',
    taskQueue: overrides.taskQueue ?? (process.env['REFLECT_TASK_QUEUE'] || DEFAULT_TASK_QUEUE),
  };
}

/** A version of a worker: runs that it starts stay with workers of the same version. */
export interface WorkerDeployment {
  /** The same for all versions, such as `reflection`. */
  name: string;
  /** What tells versions apart, such as the commit. */
  buildId: string;
}

/**
 * The worker's version from the option, else from `REFLECT_DEPLOYMENT` and `REFLECT_BUILD_ID`; undefined without them:
 * versioning is opt-in.
 *
 * @throws TypeError when one of the two is missing: a worker that falls back to no version would take other runs
 */
export function workerDeployment(option?: WorkerDeployment): WorkerDeployment | undefined {
  const name = option ? option.name : process.env['REFLECT_DEPLOYMENT'];
  const buildId = option ? option.buildId : process.env['REFLECT_BUILD_ID'];
  if (!name && !buildId) return undefined;
  if (!name || !buildId) {
    throw new TypeError('A versioned worker needs both REFLECT_DEPLOYMENT (a name) and REFLECT_BUILD_ID.');
  }
  return { name, buildId };
}
