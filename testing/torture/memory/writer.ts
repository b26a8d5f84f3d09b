import { type MemorySettings, openMemory } from '../../../src/lib/memory';
import { Random } from '../random';
import { lessonsOf, TENANT } from './lessons';

/** What a writer is told: in which memory, from which write on, and how it chances to retry. */
export interface WriterTask {
  place: Pick<MemorySettings, 'folder' | 'connectionString'>;
  from: number;
  seed: number;
}

/** Shares of writes whose answer gets lost, and whose first attempt is still under way when the next one begins. */
const LOST = 0.4;
const OVERTAKEN = 0.3;
const MOST_RETRIES = 3;

/**
 * Makes one write after the other, as activities do, until its input ends: says which begins, that one is tried again, and which
 * is acknowledged.
 */
async function main({ place, from, seed }: WriterTask): Promise<void> {
  const memory = openMemory(place);
  let isOver = false;
  process.stdin.on('end', () => (isOver = true)).resume();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  for (let write = from; !isOver; write += 1) {
    const lessons = lessonsOf(write, seed);
    const attempt = (): Promise<unknown> => memory.store(TENANT, lessons);
    const random = Random.of(seed, write, from);
    const chance = random.next();
    const retries = chance < LOST + OVERTAKEN ? random.between(1, MOST_RETRIES) : 0;
    say(`begin ${write}`);
    const attempts = [attempt()];
    for (let retry = 0; retry < retries; retry += 1) {
      if (chance < LOST) await attempts.at(-1);
      say('retry');
      attempts.push(attempt());
    }
    await Promise.all(attempts);
    say(`wrote ${write}`);
  }
  await memory.close();
}

void main(JSON.parse(process.argv[2]!) as WriterTask);
