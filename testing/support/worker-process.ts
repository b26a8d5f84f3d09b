import { createWorker, type ModelConfig, type RecoveryProfile } from '../../src/worker';

/** A worker as a process of its own, for tests that kill it and then wait for no half minute. Says `ready` once it polls. */
async function main(): Promise<void> {
  const { REFLECT_TEST_MODELS, REFLECT_RECOVERY = 'steady' } = process.env;
  const models = REFLECT_TEST_MODELS === undefined ? [] : (JSON.parse(REFLECT_TEST_MODELS) as ModelConfig[]);
  const worker = await createWorker({ models, recovery: REFLECT_RECOVERY as RecoveryProfile });
  process.once('SIGTERM', () => worker.shutdown());
  process.stdout.write('ready\n');
  await worker.run();
}

void main();
