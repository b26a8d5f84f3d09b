import Table from 'cli-table3';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { latency, load, type Load, median } from './measure';
import { type BenchWorld, benchWorld, type LoopName } from './world';

const ROUNDS = 7;
const RUNS_A_ROUND = 5;
const LOAD = { runs: 75, concurrency: 50 };

/** Three versions that all fail: judged by a model, by a schema, or by a schema with steps in local activities. */
export function judged(by: 'model' | 'schema' | 'local', maxIterations = 3): ReflectionSpec {
  const writes = { action: by === 'local' ? 'writesLocally' : 'writes' };
  return by === 'model'
    ? {
        generator: { action: 'llm.call', prompt: 'Write.' },
        evaluator: { type: 'llm' },
        maxIterations,
        convergence: false,
      }
    : {
        generator: writes,
        corrector: writes,
        evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
        maxIterations,
        convergence: false,
      };
}

interface Compared<T> {
  ours: T[];
  handWritten: T[];
}

/** Interleaved, so that whatever else the machine does hurts both alike. */
async function compare<T>(measure: (loop: LoopName) => Promise<T>, rounds: number): Promise<Compared<T>> {
  const compared: Compared<T> = { ours: [], handWritten: [] };
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first in a round has the colder caches.
    const order: LoopName[] = round % 2 === 0 ? ['ours', 'handWritten'] : ['handWritten', 'ours'];
    for (const loop of order) compared[loop].push(await measure(loop));
  }
  return compared;
}

async function medianLatency(world: BenchWorld, loop: LoopName, spec: ReflectionSpec): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS_A_ROUND; run += 1) times.push(await latency(world, loop, spec));
  return median(times);
}

/** What the ratio to the hand-written loop must be. */
interface Goal {
  atMost?: number;
  atLeast?: number;
}

function row(name: string, { ours, handWritten }: Compared<number>, digits: number, goal: Goal): string[] {
  const [own, other] = [median(ours), median(handWritten)];
  const ratio = own / other;
  const { atMost = Infinity, atLeast = 0 } = goal;
  if (ratio > atMost || ratio < atLeast) process.exitCode = 1;
  const told = [
    ...(atMost === Infinity ? [] : [`≤ ${atMost.toFixed(2)}`]),
    ...(atLeast === 0 ? [] : [`≥ ${atLeast.toFixed(2)}`]),
  ];
  return [name, own.toFixed(digits), other.toFixed(digits), `${ratio.toFixed(2)}×`, told.join(' ')];
}

function picked({ ours, handWritten }: Compared<Load>, pick: (load: Load) => number): Compared<number> {
  return { ours: ours.map(pick), handWritten: handWritten.map(pick) };
}

const KINDS = {
  model: { name: 'judged by a model', latency: { atMost: 1.08 }, rate: { atLeast: 0.95 } },
  schema: { name: 'judged by a schema', latency: { atMost: 0.85 }, rate: { atLeast: 1.05 } },
  local: { name: 'local steps and schema', latency: {}, rate: {} },
} as const;

/**
 * Latency, loops a second and processor time beside the loop written by hand, as a table. Sets the exit code where a goal was
 * missed.
 */
export async function speed(): Promise<string> {
  const world = await benchWorld({ tuned: true, outputBytes: 2_000 });
  const table = new Table({
    head: ['three iterations, tuned server on file', 'ours', 'hand-written', 'ratio', 'goal'],
    style: { head: [] },
  });
  for (const [by, { name, ...goals }] of Object.entries(KINDS)) {
    const spec = judged(by as keyof typeof KINDS);
    await medianLatency(world, 'ours', spec);
    await medianLatency(world, 'handWritten', spec);
    const latencies = await compare((loop) => medianLatency(world, loop, spec), ROUNDS);
    table.push(row(`p50 ms, ${name}`, latencies, 0, goals.latency));
    const loads = await compare((loop) => load(world, loop, spec, LOAD), ROUNDS);
    const rates = picked(loads, ({ rate }) => rate);
    table.push(row(`loops/s at 50, ${name}`, rates, 1, goals.rate));
    const worker = picked(loads, ({ processor }) => processor.worker);
    table.push(row('  worker, processor ms a loop', worker, 0, { atMost: 1.15 }));
    if (loads.ours[0]!.processor.server === undefined) continue;
    const server = picked(loads, ({ processor }) => processor.server!);
    table.push(row('  server, processor ms a loop', server, 0, {}));
  }
  await world.close();
  return table.toString();
}

/** The latency on a server as it comes. */
export async function untunedSpeed(): Promise<string> {
  const world = await benchWorld({ tuned: false, outputBytes: 2_000 });
  const slow = await medianLatency(world, 'ours', judged('schema'));
  await world.close();
  return `p50 of the schema-judged loop on an untuned server: ${slow.toFixed(0)} ms`;
}
