/**
 * Runs a batch with a scripted model, kills its command and its worker while it is under way, and checks that every item has one run
 * and one line, and that no call was made again whose answer was recorded:
 *
 *   npm run batch:kills -- [--items 5000] [--concurrency 20] [--model-ms 50]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ReflectionClient } from '../src/client';
import {
  brokenPromises,
  growth,
  killedBatch,
  type KilledBatchOptions,
  repeatedCalls,
} from '../testing/batch/killed-batch';
import { startPrivateServer } from '../testing/support/temporal-server';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '5000' },
      concurrency: { type: 'string', default: '20' },
      'model-ms': { type: 'string', default: '50' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reflect-batch-'));
  const server = await startPrivateServer();
  const client = await ReflectionClient.connect({ address: server.address });
  const options: KilledBatchOptions = {
    client,
    address: server.address,
    folder,
    items: Number(values.items),
    concurrency: Number(values.concurrency),
    modelMs: Number(values['model-ms']),
    workerKills: [0.2, 0.5],
    commandKills: [0.35],
    say: (text) => console.log(text),
  };
  try {
    const seen = await killedBatch(options);
    const megabytes = seen.memory.map(({ bytes }) => Math.round(bytes / 1_048_576));
    console.log(`${seen.seconds.toFixed(0)} s, ${(options.items / seen.seconds).toFixed(1)} items a second`);
    console.log(`runs: ${seen.runs}, lines: ${seen.lines.length}, calls that were repeated: ${repeatedCalls(seen)}`);
    console.log(`histories of the batch, bytes: ${seen.histories.join(', ')}`);
    console.log(`memory of the last worker, MiB: ${megabytes.filter((_, at) => at % 20 === 0).join(' ')}`);
    console.log(`its growth from the second quarter to the last: ${growth(seen.memory).toFixed(3)}`);
    const wrong = brokenPromises(seen, options);
    console.log(wrong.length === 0 ? 'every promise was kept' : wrong.join('\n'));
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } finally {
    await client.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

void main();
