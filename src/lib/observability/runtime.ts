import { makeTelemetryFilterString, Runtime, type RuntimeOptions } from '@temporalio/worker';
import { createLogger, loggerOptionsFrom, type LogLevelName } from './logger';

export interface RuntimeSettings {
  /** The address of the SDK's own metrics: `127.0.0.1:<port>`. Default: not served. */
  metricsAddress?: string;
  /** The log level if `REFLECT_LOG` is not set. */
  level?: LogLevelName;
}

const CORE_LEVELS = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR', off: 'OFF' } as const;

/** The SDK's own buckets are for milliseconds. */
const BUCKETS = { reflect_loop_versions: [1, 2, 3, 4, 5, 7, 10, 20, 50, 100] };

/**
 * Makes Temporal's runtime of this process log through our logger, which redacts secrets. It installs no signal
 * handlers, so the caller must shut down its workers on Ctrl-C. Call it before the first worker or native connection is
 * created.
 */
export function installRuntime({ metricsAddress, level }: RuntimeSettings = {}): void {
  const options = loggerOptionsFrom(process.env, level);
  const filter =
    options.level === 'off' ? 'OFF' : makeTelemetryFilterString({ core: CORE_LEVELS[options.level], other: 'ERROR' });
  const telemetryOptions: RuntimeOptions['telemetryOptions'] = {
    logging: { filter, forward: {} },
    ...(metricsAddress === undefined
      ? {}
      : { metrics: { prometheus: { bindAddress: metricsAddress, histogramBucketOverrides: BUCKETS } } }),
  };
  Runtime.install({ logger: createLogger(options), shutdownSignals: [], telemetryOptions });
}
