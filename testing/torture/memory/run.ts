import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openMemory } from '../../../src/lib/memory';
import { pause } from '../pause';
import { Random } from '../random';
import { lessonsOf, TENANT } from './lessons';
import type { WriterTask } from './writer';

export interface MemoryTortureOptions {
  place: WriterTask['place'];
  /** Retries and kills together, at least. */
  disturbances: number;
  /** Of them, processes that are killed. */
  kills: number;
  seed: number;
  log?(line: string): void;
}

export interface MemoryTortureReport {
  kills: number;
  /** Kills while the process had a write under way; the others came while it opened the database. */
  killsWhileWriting: number;
  retries: number;
  /** Insights whose write was acknowledged. */
  acknowledged: number;
  /** Insights that should be there and are not, and such as are there more than once. */
  lost: string[];
  twice: string[];
  /** Insights that nobody wrote, or of a write that is there in part. */
  strange: string[];
}

const WRITER = join(__dirname, 'writer.ts');

/** One kill of so many comes while the process opens the database, where the one before it may be mended. */
const WHILE_OPENING = 5;
const OPENING_MS = 1_500;

/** Milliseconds within which a kill follows the begin of a write: longer than most writes take. */
const AROUND_MS = 40;
const WRITES_BETWEEN = 6;

/** What all writers together did. */
interface Progress {
  begun: number;
  acknowledged: number;
  retries: number;
}

/** When a writer is killed: so long after it began its nth write, or after its start. */
interface Kill {
  write: number;
  afterMs: number;
}

function plannedKill(random: Random): Kill {
  if (random.between(1, WHILE_OPENING) === 1) return { write: 0, afterMs: random.next() * OPENING_MS };
  return { write: random.between(1, WRITES_BETWEEN), afterMs: random.next() * AROUND_MS };
}

/** Runs one writer, until it is killed or `isEnough`. Says whether it was killed, and whether within a write. */
async function runWriter(
  task: WriterTask,
  progress: Progress,
  { kill, isEnough }: { kill: Kill | undefined; isEnough(): boolean },
): Promise<'killed while opening' | 'killed while writing' | 'ended'> {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit');
  let begun = 0;
  const shoot = ({ afterMs }: Kill): void => void pause(afterMs).then(() => child.kill('SIGKILL'));
  if (kill?.write === 0) shoot(kill);
  for await (const line of createInterface(child.stdout)) {
    const [word, write] = line.split(' ');
    if (word === 'retry') progress.retries += 1;
    if (word === 'wrote') progress.acknowledged = Number(write);
    if (word === 'begin') {
      progress.begun = Number(write);
      begun += 1;
      if (begun === kill?.write) shoot(kill);
    }
    if (!kill && isEnough()) child.stdin.end();
  }
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  if (code === 0) return 'ended';
  if (signal !== 'SIGKILL') throw new Error(`a writer ended by itself: ${signal ?? `code ${code}`}`);
  return begun === 0 ? 'killed while opening' : 'killed while writing';
}

/**
 * Writes insights by processes that are killed at moments that the seed chooses, each followed by one that tries the write
 * again that was not acknowledged; then opens the memory and counts.
 */
export async function tortureMemory(options: MemoryTortureOptions): Promise<MemoryTortureReport> {
  const { place, seed, log } = options;
  const progress: Progress = { begun: 0, acknowledged: 0, retries: 0 };
  const random = Random.of(seed, 1);
  let kills = 0;
  let killsWhileWriting = 0;
  const isEnough = (): boolean => progress.retries + kills >= options.disturbances;
  const next = (): WriterTask => ({ place, from: progress.acknowledged + 1, seed });
  while (kills < options.kills) {
    const end = await runWriter(next(), progress, { kill: plannedKill(random), isEnough });
    kills += 1;
    if (end === 'killed while writing') killsWhileWriting += 1;
    log?.(`${end} (${kills}); ${progress.retries} retries, ${progress.acknowledged} writes acknowledged`);
  }
  // The last one tries again what the last kill cut off, in any case.
  await runWriter(next(), progress, { kill: undefined, isEnough });
  return { kills, killsWhileWriting, retries: progress.retries, ...(await count(place, progress, seed)) };
}

async function count(
  place: WriterTask['place'],
  { acknowledged, begun }: Progress,
  seed: number,
): Promise<Pick<MemoryTortureReport, 'acknowledged' | 'lost' | 'twice' | 'strange'>> {
  const written = (to: number): string[] =>
    Array.from({ length: to }, (_, index) => lessonsOf(index + 1, seed).map(({ text }) => text)).flat();
  const memory = openMemory(place);
  try {
    const found = (await memory.list({ tenant: TENANT, limit: 1_000_000 })).map(({ text }) => text);
    const known = new Set(written(begun));
    const there = new Set(found);
    const expected = written(acknowledged);
    return {
      acknowledged: expected.length,
      lost: expected.filter((text) => !there.has(text)),
      twice: found.filter((text, index) => found.indexOf(text) !== index),
      strange: found.filter((text) => !known.has(text)),
    };
  } finally {
    await memory.close();
  }
}
