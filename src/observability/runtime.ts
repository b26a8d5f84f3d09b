import { makeTelemetryFilterString, Runtime, type RuntimeOptions } from '@temporalio/worker';
import { createLogger, loggerOptionsFrom, type LogLevelName } from './logger';

export interface RuntimeSettings {
  /** Where the SDK's own metrics can be read: `127.0.0.1:<port>`. Default: nowhere. */
  metricsAddress?: string;
  /** When `REFLECT_LOG` does not say. */
  level?: LogLevelName;
}

const CORE_LEVELS = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR', off: 'OFF' } as const;

/**
 * Makes Temporal's runtime of this process log through our logger, which redacts. Who calls this ends the workers at Ctrl-C.
 * Call it before the first worker or native connection is made.
 */
export function installRuntime({ metricsAddress, level }: RuntimeSettings = {}): void {
  const options = loggerOptionsFrom(process.env, level);
  const filter =
    options.level === 'off' ? 'OFF' : makeTelemetryFilterString({ core: CORE_LEVELS[options.level], other: 'ERROR' });
  const telemetryOptions: RuntimeOptions['telemetryOptions'] = {
    logging: { filter, forward: {} },
    ...(metricsAddress === undefined ? {} : { metrics: { prometheus: { bindAddress: metricsAddress } } }),
  };
  Runtime.install({ logger: createLogger(options), shutdownSignals: [], telemetryOptions });
}
