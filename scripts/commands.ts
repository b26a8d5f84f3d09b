import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NativeConnection } from '@temporalio/worker';
import { ReflectionClient } from '../src/client';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../src/server/index';
import { createWorker } from '../src/worker';
import { playOnServer } from '../test/support/command-sequences';
import { hears } from '../test/support/hears';

/** Sequences of commands, duplicate, late and reordered, against loops on a server of their own. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { sequences: { type: 'string', default: '1000' }, side: { type: 'string', default: '16' } },
  });
  const sequences = Number(values.sequences);
  const folder = mkdtempSync(join(tmpdir(), 'reflect-commands-'));
  const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db') });
  const connection = await NativeConnection.connect({ address: server.address });
  const worker = await createWorker({ connection, actions: [hears], drainMs: 0 });
  const running = worker.run();
  const client = await ReflectionClient.connect({ address: server.address });
  const started = performance.now();
  let next = 1;
  const found: string[] = [];
  const play = async (): Promise<void> => {
    while (next <= sequences) {
      const seed = next++;
      found.push(...(await playOnServer(client, seed)));
      if (seed % 100 === 0) console.log(`${seed} sequences, ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.side) }, play));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  for (const line of found) console.error(line);
  console.log(`${sequences} sequences in ${seconds} s, ${found.length} violations`);
  await client.close();
  worker.shutdown();
  await running;
  await connection.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return found.length === 0 ? 0 : 1;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
