import { existsSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { DEFAULT_TASK_QUEUE } from './names/task-queues';

/** How to reach a Temporal server: the options of `Connection.connect` and `NativeConnection.connect`, and the namespace. */
export interface TemporalSettings {
  connection: { address: string; [option: string]: unknown };
  namespace: string;
  taskQueue: string;
}

/**
 * Maximum bytes of a response that a client accepts. A page of a history with outputs of 1 MB is larger than gRPC's
 * default of 4 MiB. The SDK intends to set 128 MiB, but uses an option name that gRPC does not know.
 */
export const LARGE_ANSWERS = { 'grpc.max_receive_message_length': 128 * 1024 * 1024 };

/** Explicit settings of the caller; they take precedence over the environment. */
export interface TemporalOverrides {
  address?: string;
  namespace?: string;
  taskQueue?: string;
}

/**
 * Reads the settings from explicit options, then from the SDK's environment configuration (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS_*`, profiles in its TOML file), then the defaults:
 * `127.0.0.1:7233`, `default`. The task queue is `REFLECT_TASK_QUEUE`, or `reflection`.
 *
 * @throws Error for a profile that does not exist, and TypeError for a file that does not exist, which the SDK would treat
 *   as empty
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

/** The version of a worker. Runs that it starts stay with workers of the same version. */
export interface WorkerDeployment {
  /** The name of the deployment, the same for all versions, such as `reflection`. */
  name: string;
  /** The id of this version, such as the commit. */
  buildId: string;
}

/**
 * Reads the version of a worker from the option, or from `REFLECT_DEPLOYMENT` and `REFLECT_BUILD_ID`; undefined without them,
 * because versioning is opt-in. Throws TypeError if one of the two is missing: a worker that falls back to no version would take
 * other runs.
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
