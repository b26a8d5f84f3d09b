import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { ensureBuilt } from './built';
import { median } from './measure';

const ROOT = join(__dirname, '..', '..');

/** Starts a worker of the built package and ends it as soon as it is ready. */
const PROGRAM = `
  const { createWorker } = require('./dist/worker.js');
  createWorker().then((worker) => {
    console.log('ready');
    process.exit(0);
  });
`;

/** Milliseconds from the start of the process to a worker that is ready, with the pre-built bundle: median of 5. */
export async function workerStart(): Promise<string> {
  ensureBuilt();
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const server = await startDevServer({ cli });
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    const env = { ...process.env, TEMPORAL_ADDRESS: server.address };
    const { status, stderr } = spawnSync(process.execPath, ['-e', PROGRAM], { cwd: ROOT, env });
    if (status !== 0) throw new Error(String(stderr));
    return performance.now() - started;
  });
  await server.stop();
  return `worker start from the pre-built bundle: ${median(times).toFixed(0)} ms`;
}
