/**
 * Kills and retries writes of insights, and counts what is there afterwards:
 *
 *   npm run torture:memory -- [pglite] [postgres] [--disturbances 200] [--kills 40] [--seed 1]
 *
 * Both databases, unless one is named. The seed decides the writes, which of them are tried again, and the moments of the kills.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../testing/support/postgres';
import { tortureMemory } from '../testing/torture/memory/run';

const DATABASES = ['pglite', 'postgres'];

async function torture(database: string, numbers: { disturbances: number; kills: number; seed: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-torture-memory-'));
  const postgres = database === 'postgres' ? await startPostgres() : undefined;
  try {
    const started = performance.now();
    const report = await tortureMemory({
      ...numbers,
      place: postgres ? { connectionString: postgres.connectionString } : { folder: join(folder, 'memory') },
      log: (line) => console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${line}`),
    });
    const { kills, killsWhileWriting, retries, acknowledged, lost, twice, strange } = report;
    const kept = lost.length + twice.length + strange.length === 0;
    console.log(
      `${database}: ${kills} processes killed (${killsWhileWriting} while they wrote), ${retries} writes tried again; of ` +
        `${acknowledged} insights ${lost.length} lost, ${twice.length} there twice, ${strange.length} that nobody wrote: ` +
        (kept ? 'each is there once' : JSON.stringify({ lost, twice, strange })),
    );
    return kept;
  } finally {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      disturbances: { type: 'string', default: '200' },
      kills: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.find((name) => !DATABASES.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`there is no database "${unknown}" here, only ${DATABASES.join(', ')}`);
  const numbers = {
    disturbances: Number(values.disturbances),
    kills: Number(values.kills),
    seed: Number(values.seed),
  };
  let kept = true;
  for (const database of positionals.length > 0 ? positionals : DATABASES) {
    kept = (await torture(database, numbers)) && kept;
  }
  return kept;
}

main().then(
  (kept) => process.exit(kept ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
