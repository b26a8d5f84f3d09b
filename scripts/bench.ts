import Table from 'cli-table3';
import type { ReflectionSpec } from '../src/domain/spec';
import { historyBytes, latency, median, throughput } from './bench/measure';
import { type BenchWorld, benchWorld } from './bench/world';
import { largeOutputs } from './bench/large';
import { outage } from './bench/breaker';
import { waitingLoops } from './bench/waiting';
import { workerStart } from './bench/worker-start';

const ROUNDS = 7;
const RUNS_A_ROUND = 5;

/** Three versions that all fail: judged by a model, or by a schema. */
function judged(by: 'model' | 'schema', maxIterations = 3): ReflectionSpec {
  return by === 'model'
    ? {
        generator: { action: 'llm.call', prompt: 'Write.' },
        evaluator: { type: 'llm' },
        maxIterations,
        convergence: false,
      }
    : {
        generator: { action: 'writes' },
        corrector: { action: 'writes' },
        evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
        maxIterations,
        convergence: false,
      };
}

interface Compared {
  ours: number[];
  handWritten: number[];
}

/** Interleaved, so that whatever else the machine does hurts both alike. */
async function compare(measure: (type: string) => Promise<number>, rounds: number): Promise<Compared> {
  const compared: Compared = { ours: [], handWritten: [] };
  for (let round = 0; round < rounds; round += 1) {
    compared.ours.push(await measure('reflectionLoop'));
    compared.handWritten.push(await measure('handWrittenLoop'));
  }
  return compared;
}

async function medianLatency(world: BenchWorld, type: string, spec: ReflectionSpec): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS_A_ROUND; run += 1) times.push(await latency(world.client, world.taskQueue, type, spec));
  return median(times);
}

function row(name: string, { ours, handWritten }: Compared, digits: number): string[] {
  const [own, other] = [median(ours), median(handWritten)];
  return [name, own.toFixed(digits), other.toFixed(digits), `${(own / other).toFixed(2)}×`];
}

async function speed(): Promise<void> {
  const world = await benchWorld({ tuned: true, outputBytes: 2_000 });
  const table = new Table({ head: ['three iterations, tuned server on file', 'ours', 'hand-written', 'ratio'] });
  for (const by of ['model', 'schema'] as const) {
    await medianLatency(world, 'reflectionLoop', judged(by));
    await medianLatency(world, 'handWrittenLoop', judged(by));
    const evaluators = by === 'model' ? 'ordinary activities' : 'local evaluators';
    table.push(
      row(`p50 ms, ${evaluators}`, await compare((type) => medianLatency(world, type, judged(by)), ROUNDS), 0),
    );
    const load = { runs: 75, concurrency: 50 };
    const loops = (type: string) => throughput(world.client, world.taskQueue, type, judged(by), load);
    table.push(row(`loops/s at 50, ${evaluators}`, await compare(loops, ROUNDS), 1));
  }
  console.log(table.toString());
  await world.close();
  const untuned = await benchWorld({ tuned: false, outputBytes: 2_000 });
  const slow = await medianLatency(untuned, 'reflectionLoop', judged('schema'));
  console.log(`p50 of the schema-judged loop on an untuned server: ${slow.toFixed(0)} ms`);
  await untuned.close();
}

async function sizes(): Promise<void> {
  const outputBytes = 10_000;
  const world = await benchWorld({ tuned: true, outputBytes });
  const head = ['iterations of 10 KB', 'judged by', 'history bytes', '× outputs', 'a iteration', 'events'];
  const table = new Table({ head });
  for (const by of ['model', 'schema'] as const) {
    for (const iterations of [3, 10, 30, 100]) {
      const { bytes, events } = await historyBytes(
        world.client,
        world.taskQueue,
        'reflectionLoop',
        judged(by, iterations),
      );
      const share = (bytes / (iterations * outputBytes)).toFixed(2);
      table.push([iterations, by, bytes, share, Math.round(bytes / iterations), events]);
    }
  }
  console.log(table.toString());
  await world.close();
}

async function main(): Promise<void> {
  const part = process.argv[2];
  if (part === undefined || part === 'speed') await speed();
  if (part === undefined || part === 'sizes') await sizes();
  if (part === undefined || part === 'start') console.log(await workerStart());
  const large = [
    { iterations: 5_000, bytes: 64 * 1024, threshold: 64 * 1024 },
    { iterations: 10, bytes: 1_500_000, threshold: 64 * 1024 },
    { iterations: 100, bytes: 10_000, threshold: 4 * 1024 },
  ];
  if (part === 'large') console.log(await largeOutputs(large));
  if (part === undefined || part === 'large-quick') console.log(await largeOutputs(large.slice(1)));
  if (part === undefined || part === 'waiting') console.log(await waitingLoops());
  if (part === undefined || part === 'breaker') console.log(await outage());
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
