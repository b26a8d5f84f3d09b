import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { closeStorage, dataConverterFrom } from '../../src/lib/storage';
import { ensureBuilt } from './built';
import { builtWorker } from './built-worker';

/** An action whose outputs all differ. */
const ACTIONS = `
  const { randomBytes } = require('node:crypto');
  const actions = [defineAction({
    name: 'write', description: 'An output of a size.', input: z.object({ bytes: z.number() }), needs: [],
    run: ({ bytes }) => ({ text: randomBytes(bytes / 2).toString('hex') }),
  })];
`;

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Runs of a chain: how many, and the largest of them. */
async function chainOf(client: ReflectionClient, workflowId: string) {
  const chain = { runs: 0, events: 0, bytes: 0, total: 0 };
  for await (const { runId } of client.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { raw } = await client.temporal.workflow.getHandle(workflowId, runId).describe();
    const bytes = Number(raw.workflowExecutionInfo!.historySizeBytes);
    chain.runs += 1;
    chain.events = Math.max(chain.events, Number(raw.workflowExecutionInfo!.historyLength));
    chain.bytes = Math.max(chain.bytes, bytes);
    chain.total += bytes;
  }
  return chain;
}

/** Long loops with large outputs, kept in a folder: what history, store and worker memory come to. */
export async function largeOutputs(sizes: { iterations: number; bytes: number; threshold: number }[]): Promise<string> {
  ensureBuilt();
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`;
  const head = [
    'iterations',
    'output',
    'threshold',
    's',
    'runs',
    'most events',
    'largest run',
    'history',
    'store',
    'memory',
  ];
  const table = new Table({ head });
  for (const { iterations, bytes, threshold } of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'reflect-large-'));
    const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
    const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db') });
    const env = {
      ...process.env,
      TEMPORAL_ADDRESS: server.address,
      REFLECT_STORAGE: `folder:${join(folder, 'store')}`,
      REFLECT_STORAGE_THRESHOLD: String(threshold),
    };
    const worker = await builtWorker(env, ACTIONS);
    const converter = dataConverterFrom(env);
    const client = await ReflectionClient.connect({
      address: server.address,
      ...(converter ? { dataConverter: converter } : {}),
    });
    const started = performance.now();
    const spec = {
      generator: { action: 'write', with: { bytes } },
      evaluator: { type: 'schema' as const, schema: { type: 'object', required: ['missing'] } },
      maxIterations: iterations,
      convergence: false as const,
    };
    const { workflowId } = await client.start(spec);
    const memory: number[] = [];
    const watch = setInterval(() => void worker.memory().then((megabytes) => memory.push(megabytes)), 3_000);
    const result = await client.result(workflowId);
    clearInterval(watch);
    if (result.iterationsUsed !== iterations) throw new Error(`${result.iterationsUsed} of ${iterations} iterations`);
    const seconds = (performance.now() - started) / 1000;
    memory.push(await worker.memory());
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const chain = await chainOf(client, workflowId);
    // The first fifth of the time is warm-up.
    const warm = memory.slice(Math.floor(memory.length / 5));
    const range = `${Math.min(...warm).toFixed(0)}–${Math.max(...warm).toFixed(0)} MB`;
    const store = folderBytes(join(folder, 'store'));
    const row = [iterations, kib(bytes), kib(threshold), seconds.toFixed(0), chain.runs, chain.events];
    table.push([...row, kib(chain.bytes), kib(chain.total), kib(store), range]);
    await client.close();
    await closeStorage(converter);
    worker.process.kill('SIGKILL');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return table.toString();
}
