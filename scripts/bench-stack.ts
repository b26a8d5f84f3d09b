/**
 * What loops cost on the stack of docker-compose.yml: Temporal on PostgreSQL, one worker and then two.
 *
 *   npm run bench:stack [-- --loops 300 --concurrency 40 --rounds 2 --call-ms 300 --draft 4000]
 *
 * The model is a scripted server on this machine, which takes its share of the processor. Needs what `npm run test:stack`
 * needs, and uses its images.
 */
import { parseArgs } from 'node:util';
import { plainTable } from '../src/apps/cli/terminal/table';
import { measureLoad, type LoadResult } from './stack/bench/load';
import { startTimes } from './stack/bench/start-time';
import type { Engine } from './stack/engine';
import { inEngine } from './stack/in-engine';
import { logger } from './stack/log';
import { makeCurrent } from './stack/make-current';
import { prepareStack, type Stack, withStack } from './stack/stack';

const MEGA = 1_048_576;

const { values } = parseArgs({
  options: {
    loops: { type: 'string', default: '300' },
    concurrency: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '2' },
    'call-ms': { type: 'string', default: '300' },
    draft: { type: 'string', default: '4000' },
    'if-available': { type: 'boolean' },
  },
});
const log = logger();

function say(workers: number, { loopsPerSecond, p50Ms, p95Ms, costs, stored }: LoadResult): void {
  const rows = Object.entries(costs).map(([name, { processorMs, peakBytes }]) => {
    return [name, processorMs.toFixed(1), (1_000 / processorMs).toFixed(0), (peakBytes / MEGA).toFixed(0)];
  });
  const head = `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  log(`${head}: ${loopsPerSecond.toFixed(1)} loops/s, p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms`);
  console.log(plainTable(['part', 'ms of processor a loop', 'loops/s a core', 'MiB at most'], rows));
  const kilo = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KiB`;
  console.log(`stored a loop: ${kilo(stored.temporal)} by Temporal, ${kilo(stored.payloads)} of payloads\n`);
}

async function sayStart(stack: Stack): Promise<void> {
  const { cold, median, most } = await startTimes(stack, stack.compose.container('worker', 2));
  const rest = `median of five, at most ${most.toFixed(0)}; ${cold.toFixed(0)} with nothing of it in memory`;
  log(`a worker's container polls ${median.toFixed(0)} ms after its start (${rest})`);
}

async function play(engine: Engine): Promise<void> {
  const callMs = Number(values['call-ms']);
  const env = { REFLECT_SANDBOX: 'off' };
  await withStack(engine, { callMs, draftCharacters: Number(values.draft), env, log }, async (stack) => {
    await makeCurrent(stack.client, 'one');
    const options = { concurrency: Number(values.concurrency), rounds: Number(values.rounds) };
    for (const workers of [1, 2]) {
      await stack.compose.scaleWorkers(workers);
      await stack.compose.healthy(stack.compose.container('worker', workers));
      await measureLoad(stack, { ...options, workers, loops: options.concurrency });
      say(workers, await measureLoad(stack, { ...options, workers, loops: Number(values.loops) }));
    }
    // Last: it kills workers.
    await sayStart(stack);
  });
}

void inEngine({ prepare: prepareStack, play });
