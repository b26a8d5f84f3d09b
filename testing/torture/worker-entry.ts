import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { ModelConfig } from '../../src/worker';
import { composeAction } from './compose-action';
import { BACKGROUND_MODEL, WAITED_FOR_MODEL } from './plans';
import { installHooks, report } from './worker-hooks';

/** The first is that of specs that name none. */
const MODELS: ModelConfig[] = [
  { name: WAITED_FOR_MODEL, model: 'scripted' },
  { name: BACKGROUND_MODEL, model: 'scripted', background: true },
];

/**
 * A worker as a process of its own, which can be stopped at the barriers. `TORTURE_WORKER` is its name in the ledger;
 * `TORTURE_PACKAGE` the module that it takes the worker from: the built one starts without bundling.
 */
async function main(): Promise<void> {
  const { TORTURE_WORKER: name, TORTURE_PACKAGE: packagePath, OPENAI_BASE_URL: baseUrl } = process.env;
  if (!name || !packagePath || !baseUrl) throw new TypeError('TORTURE_WORKER, TORTURE_PACKAGE and OPENAI_BASE_URL');
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR', forward: {} } }, shutdownSignals: [] });
  installHooks(name);
  const { createWorker } = require(packagePath) as typeof import('../../src/worker');
  const worker = await createWorker({ actions: [composeAction(baseUrl)], models: MODELS });
  process.once('SIGTERM', () => worker.shutdown());
  report({ kind: 'ready' });
  await worker.run();
  report({ kind: 'ended' });
  process.exit(0);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
