/**
 * `npm run bench`: what loops cost beside a loop written by hand with the same activities.
 *
 *   npm run bench                    all parts but the long ones
 *   npm run bench -- speed actions   these
 */
import { actions } from './bench/actions';
import { outage } from './bench/breaker';
import { besideLangGraph } from './bench/langgraph';
import { largeOutputs } from './bench/large';
import { recovery } from './bench/recovery';
import { sizes } from './bench/sizes';
import { speed, untunedSpeed } from './bench/speed';
import { waitingLoops } from './bench/waiting';
import { workerStart } from './bench/worker-start';

const LARGE = [
  { iterations: 5_000, bytes: 64 * 1024, threshold: 64 * 1024 },
  { iterations: 10, bytes: 1_500_000, threshold: 64 * 1024 },
  { iterations: 100, bytes: 10_000, threshold: 4 * 1024 },
];

interface Part {
  run: () => Promise<string>;
  /** Only where it is named: it takes many minutes. */
  long?: true;
}

const PARTS: Record<string, Part> = {
  speed: { run: speed },
  untuned: { run: untunedSpeed },
  sizes: { run: sizes },
  start: { run: workerStart },
  large: { run: () => largeOutputs(LARGE), long: true },
  'large-quick': { run: () => largeOutputs(LARGE.slice(1)) },
  waiting: { run: waitingLoops },
  breaker: { run: outage },
  recovery: { run: recovery, long: true },
  actions: { run: actions, long: true },
  langgraph: { run: besideLangGraph, long: true },
};

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`);
  const chosen = Object.entries(PARTS).filter(([name, { long }]) => (names.length > 0 ? names.includes(name) : !long));
  for (const [, { run }] of chosen) console.log(await run());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
