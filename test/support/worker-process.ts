import { createWorker } from '../../src/worker';

/** A worker as a process of its own, for tests that kill it. Says `ready` once it polls. */
async function main(): Promise<void> {
  const worker = await createWorker();
  process.once('SIGTERM', () => worker.shutdown());
  process.stdout.write('ready\n');
  await worker.run();
}

void main();
