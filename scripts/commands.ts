import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { ReflectionClient } from '../src/client';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../src/apps/server';
import { createWorker } from '../src/worker';
import { hears } from '../testing/support/hears';
import { type Played, playOnServer } from '../testing/support/play-commands';

// A call that was given up is answered all the same now and then; the server's complaint about that is no news.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  shutdownSignals: [],
});

const USAGE = `npm run commands -- [options]

Plays sequences of commands, duplicate, late and reordered, against loops on a server of their own.

  --sequences N  (default 1000)
  --seed N       of the first sequence (default 1)
  --side N       sequences side by side (default 16)`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sequences: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      side: { type: 'string', default: '16' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const sequences = Number(values.sequences);
  const firstSeed = Number(values.seed);
  const folder = mkdtempSync(join(tmpdir(), 'reflect-commands-'));
  const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db') });
  try {
    const connection = await NativeConnection.connect({ address: server.address });
    const worker = await createWorker({ connection, actions: [hears], drainMs: 0 });
    const running = worker.run();
    const client = await ReflectionClient.connect({ address: server.address });
    const played = await playAll(client, firstSeed, sequences, Number(values.side));
    await client.close();
    worker.shutdown();
    await running;
    await connection.close();
    return report(played, firstSeed);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays sequences, some side by side, and says how far it came. */
async function playAll(client: ReflectionClient, firstSeed: number, count: number, side: number): Promise<Played[]> {
  const started = performance.now();
  const seconds = (): string => ((performance.now() - started) / 1_000).toFixed(1);
  const played: Played[] = [];
  let next = firstSeed;
  const play = async (): Promise<void> => {
    while (next < firstSeed + count) {
      const one = await playOnServer(client, next++);
      for (const line of one.violations) console.error(line);
      played.push(one);
      if (played.length % 100 === 0) console.log(`${played.length} sequences, ${seconds()} s`);
    }
  };
  await Promise.all(Array.from({ length: side }, play));
  console.log(`${played.length} sequences in ${seconds()} s`);
  return played;
}

function report(played: readonly Played[], firstSeed: number): number {
  const sum = (of: (one: Played) => number): number => played.reduce((total, one) => total + of(one), 0);
  const violations = sum((one) => one.violations.length);
  console.log(`seeds ${firstSeed} to ${firstSeed + played.length - 1}`);
  console.log(`updates acknowledged: ${sum(({ acknowledged }) => acknowledged.length)}`);
  console.log(`updates refused: ${sum(({ refused }) => refused.length)}`);
  console.log(`signals taken: ${sum(({ signalled }) => signalled.length)}`);
  console.log(`sent after the end: ${sum(({ late }) => late)}`);
  console.log(`violations: ${violations}`);
  return violations === 0 ? 0 : 1;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
