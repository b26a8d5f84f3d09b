import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { ensureBuilt } from './built';
import { builtWorker } from './built-worker';

const ROOT = join(__dirname, '..', '..');
const LOOPS = 500;
const CALL_MS = 20_000;

const SPEC = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema' as const, schema: { type: 'object' } },
  maxIterations: 1,
};

async function scriptedModel(folder: string): Promise<{ process: ChildProcess; baseUrl: string }> {
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify([{ reply: '{}', delayMs: CALL_MS, times: 'always' }]));
  const main = join(ROOT, 'testing', 'scripted-openai', 'main.ts');
  const model = spawn(process.execPath, ['--import', 'tsx', main, script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(model.stdout, 'data')) as [Buffer];
  return { process: model, baseUrl: String(line).trim() };
}

/** How long so many loops take on one worker when all of them wait for a slow model, and what they cost in memory. */
export async function waitingLoops(): Promise<string> {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'reflect-waiting-'));
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db') });
  const model = await scriptedModel(folder);
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: server.address,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'none',
  };
  const worker = await builtWorker(env);
  const client = await ReflectionClient.connect({ address: server.address });
  await client.run(SPEC);
  const idle = await worker.memory();
  const started = performance.now();
  const runs = Promise.all(Array.from({ length: LOOPS }, () => client.run(SPEC)));
  let peak = idle;
  const watch = setInterval(() => void worker.memory().then((bytes) => (peak = Math.max(peak, bytes))), 1_000);
  await runs;
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(watch);
  await client.close();
  worker.process.kill('SIGKILL');
  model.process.kill('SIGKILL');
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  const perLoop = ((peak - idle) / LOOPS).toFixed(2);
  return (
    `${LOOPS} loops waiting ${CALL_MS / 1_000} s on one worker: all ended after ${seconds.toFixed(1)} s; ` +
    `memory ${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at the peak: ${perLoop} MB a loop`
  );
}
