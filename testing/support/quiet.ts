import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Failing workflows and activities are what many tests are about; their stack traces would hide what matters. */
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  shutdownSignals: [],
});
