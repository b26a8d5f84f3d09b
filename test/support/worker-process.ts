import { createWorker, type ModelConfig } from '../../src/worker';

/** A worker as a process of its own, for tests that kill it. Says `ready` once it polls. */
async function main(): Promise<void> {
  const { REFLECT_TEST_MODELS } = process.env;
  const models = REFLECT_TEST_MODELS === undefined ? [] : (JSON.parse(REFLECT_TEST_MODELS) as ModelConfig[]);
  const worker = await createWorker({ models });
  process.once('SIGTERM', () => worker.shutdown());
  process.stdout.write('ready\n');
  await worker.run();
}

void main();
