import { loadClientConnectConfig } from '@temporalio/envconfig';
import { DEFAULT_TASK_QUEUE } from './domain/task-queues';

/** How to reach a Temporal server: what `Connection.connect` and `NativeConnection.connect` take, and the namespace. */
export interface TemporalSettings {
  connection: { address: string; [option: string]: unknown };
  namespace: string;
  taskQueue: string;
}

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
 */
export function temporalSettings(overrides: TemporalOverrides = {}): TemporalSettings {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    connection: { ...connectionOptions, address: overrides.address ?? connectionOptions.address ?? '127.0.0.1:7233' },
    namespace: overrides.namespace ?? namespace ?? 'default',
    taskQueue: overrides.taskQueue ?? process.env['REFLECT_TASK_QUEUE'] ?? DEFAULT_TASK_QUEUE,
  };
}
