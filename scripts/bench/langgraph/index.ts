import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Table from 'cli-table3';
import { defaultCacheDirectory } from '../../../src/apps/server';
import { startPostgres } from '../../../testing/support/postgres';
import { judged } from '../speed';
import { latency, load, median } from '../measure';
import { benchWorld } from '../world';

const OUTPUT_BYTES = 2_000;
const LOAD = { runs: 75, concurrency: 50 };
const WARM_UP_RUNS = 30;
const RUNS = 35;

/** What LangGraph needs. No dependency of ours: installed where this part of the benchmark is run, into the project's cache. */
const PACKAGES = {
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@langchain/langgraph-checkpoint-postgres': '1.0.5',
};

interface Measured {
  latency: number;
  rate: number;
  processor: number;
}

const run = promisify(execFile);

async function installed(): Promise<string> {
  const folder = join(defaultCacheDirectory(), 'bench-langgraph');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  return folder;
}

async function graph(folder: string, database: string, durability: 'sync' | 'async'): Promise<Measured> {
  const numbers = [OUTPUT_BYTES, LOAD.runs, LOAD.concurrency].map(String);
  const args = [join(__dirname, 'graph.mjs'), database, durability, ...numbers];
  return JSON.parse((await run(process.execPath, args, { cwd: folder })).stdout) as Measured;
}

async function ours(): Promise<Measured> {
  const world = await benchWorld({ tuned: true, outputBytes: OUTPUT_BYTES });
  try {
    const spec = judged('local');
    const times: number[] = [];
    for (let count = 0; count < WARM_UP_RUNS; count += 1) await latency(world, 'ours', spec);
    for (let count = 0; count < RUNS; count += 1) times.push(await latency(world, 'ours', spec));
    const { rate, processor } = await load(world, 'ours', spec, LOAD);
    return { latency: median(times), rate, processor: processor.worker };
  } finally {
    await world.close();
  }
}

function row(name: string, { latency: ms, rate, processor }: Measured): string[] {
  return [name, ms.toFixed(1), rate.toFixed(1), processor.toFixed(1)];
}

/** A loop of local steps judged by a schema, beside the same as a graph whose checkpoints are in PostgreSQL. */
export async function besideLangGraph(): Promise<string> {
  const folder = await installed();
  const postgres = await startPostgres();
  const table = new Table({
    head: ['three iterations of no-op steps, 2 KB', 'p50 ms', `loops/s at ${LOAD.concurrency}`, 'processor ms a loop'],
    style: { head: [] },
  });
  try {
    const sync = await graph(folder, await postgres.createDatabase('sync'), 'sync');
    const own = await ours();
    const lazy = await graph(folder, await postgres.createDatabase('lazy'), 'async');
    table.push(row('ours, local steps', own));
    table.push(row('LangGraph, each step stored before the next', sync));
    table.push(row('LangGraph, stored while the next one runs', lazy));
  } finally {
    await postgres.stop();
  }
  return `${table.toString()}\nPostgreSQL without fsync; a development server of Temporal on a file.`;
}
