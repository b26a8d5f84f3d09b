/**
 * `npm run bench:memory`: how long a recall takes among 100,000 insights of one agent, on PostgreSQL and on PGlite, by words and
 * by embeddings (without the call of the model). `npm run bench:memory -- 10000 pglite` takes another number, and one of the two.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewInsight } from '../src/lib/memory/insight';
import { type Embedder, type Memory, openMemory } from '../src/lib/memory';
import { startPostgres } from '../testing/support/postgres';

const RECALLS = 60;
const BATCH = 5_000;
/** What each is to stay below, in milliseconds. */
const TARGETS = { postgres: 50, pglite: 150 };
type Database = keyof typeof TARGETS;

/** Words as frequent as in a language: the second half as often as the first, and so on (Zipf). */
const VOCABULARY = Array.from({ length: 20_000 }, (_, index) => `word${index.toString(36)}`);

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const next = random(7);
const word = (): string => VOCABULARY[Math.floor(VOCABULARY.length ** next()) - 1] ?? VOCABULARY[0]!;
const sentence = (length: number): string => Array.from({ length }, word).join(' ');

function insight(index: number): NewInsight {
  return {
    text: sentence(25),
    agent: 'one',
    importance: next(),
    type: 'reflection',
    source: 'bench',
    createdAt: new Date(Date.now() - next() * 1e10).toISOString(),
    provenance: { workflowId: 'bench', run: 'bench', iteration: index, kind: 'lesson' },
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Directions as a model of 384 dimensions might give them: each text lies near one of 50 subjects. */
const DIMENSIONS = 384;
const direction = (): number[] => Array.from({ length: DIMENSIONS }, () => next() + next() + next() - 1.5);
const SUBJECTS = Array.from({ length: 50 }, direction);
const embedder: Embedder = {
  model: 'bench',
  embed: async (texts) =>
    texts.map(() => {
      const subject = SUBJECTS[Math.floor(next() * SUBJECTS.length)]!;
      return direction().map((value, index) => value + subject[index]!);
    }),
};

interface Times {
  p50: number;
  p95: number;
}

async function recallTimes(memory: Memory, embed: boolean): Promise<Times> {
  const times: number[] = [];
  for (let recall = 0; recall < RECALLS; recall += 1) {
    const query = sentence(8);
    const started = performance.now();
    const found = await memory.recall({ tenant: 'bench', agent: 'one', query, limit: 5, embed });
    times.push(performance.now() - started);
    if (found.length !== 5) throw new Error(`${found.length} insights were recalled, not 5`);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** Milliseconds that it took. */
async function fill(memory: Memory, count: number): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => insight(from + offset));
    await memory.store('bench', batch);
  }
  return performance.now() - began;
}

async function bench(database: Database, count: number): Promise<boolean> {
  const options = { maxPerAgent: count + 1, embedder };
  const postgres = database === 'postgres' ? await startPostgres() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'reflect-bench-memory-'));
  const memory = openMemory(
    postgres
      ? { ...options, connectionString: postgres.connectionString }
      : { ...options, folder: join(folder, 'memory') },
  );
  try {
    const filledMs = await fill(memory, count);
    console.log(`${database}: ${count} insights, filled in ${(filledMs / 1_000).toFixed(1)} s`);
    let met = true;
    for (const embed of [false, true]) {
      const { p50, p95 } = await recallTimes(memory, embed);
      met &&= p50 < TARGETS[database];
      console.log(
        `  recall of 5 by ${embed ? 'embeddings' : 'words'}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; to stay ` +
          `below ${TARGETS[database]} ms: ${p50 < TARGETS[database] ? 'yes' : 'no'}`,
      );
    }
    return met;
  } finally {
    await memory.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const [count = '100000', only] = process.argv.slice(2);
  let met = true;
  for (const database of ['postgres', 'pglite'] as const) {
    if (only === undefined || only === database) met = (await bench(database, Number(count))) && met;
  }
  process.exitCode = met ? 0 : 1;
}

void main();
