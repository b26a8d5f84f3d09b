import { randomUUID } from 'node:crypto';
import { loopSpec } from '../loops';
import type { Stack } from '../stack';
import { storedBytes } from './databases';
import { processesOf, type Usage, usageOf } from './usage';

export interface LoadOptions {
  loops: number;
  /** Loops under way at a time. */
  concurrency: number;
  /** Versions of each loop, each with one call of the model. */
  rounds: number;
  workers: number;
}

/** What a loop costs each part of the stack. */
export interface Cost {
  processorMs: number;
  /** The most that was seen, of all containers of this part. */
  peakBytes: number;
}

export interface LoadResult {
  loopsPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  costs: Record<string, Cost>;
  /** Bytes a loop. */
  stored: { temporal: number; payloads: number };
}

const SAMPLE_MS = 1_000;

/** The processes of each part. */
async function partsOf(stack: Stack, workers: number): Promise<Record<string, string[]>> {
  const { compose } = stack;
  const containers = {
    workers: Array.from({ length: workers }, (_, index) => compose.container('worker', index + 1)),
    "Temporal's server": [compose.container('temporal')],
    "Temporal's PostgreSQL": [compose.container('temporal-db')],
    "payloads' PostgreSQL": [compose.container('reflect-db')],
  };
  const parts: Record<string, string[]> = {};
  for (const [name, each] of Object.entries(containers)) parts[name] = await processesOf(stack, each);
  return parts;
}

function usages(parts: Record<string, string[]>): Record<string, Usage> {
  return Object.fromEntries(Object.entries(parts).map(([name, pids]) => [name, usageOf(pids)]));
}

async function stored(stack: Stack): Promise<LoadResult['stored']> {
  return {
    temporal: await storedBytes(stack, 'temporal-db', ['temporal', 'temporal_visibility']),
    payloads: await storedBytes(stack, 'reflect-db', ['reflect']),
  };
}

/** Carries out so many loops, so many of them at a time, and measures what they take. */
export async function measureLoad(stack: Stack, options: LoadOptions): Promise<LoadResult> {
  const { loops, concurrency, rounds, workers } = options;
  const parts = await partsOf(stack, workers);
  const took: number[] = [];
  let left = loops;
  const [before, bytesBefore] = [usages(parts), await stored(stack)];
  const peaks = Object.fromEntries(Object.entries(before).map(([name, { bytes }]) => [name, bytes]));
  const sampling = setInterval(() => {
    for (const [name, { bytes }] of Object.entries(usages(parts))) peaks[name] = Math.max(peaks[name]!, bytes);
  }, SAMPLE_MS);
  const began = performance.now();
  try {
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          const label = `bench-${randomUUID()}`;
          const started = performance.now();
          const { convergenceReason } = await stack.client.run(loopSpec(label, rounds), { workflowId: label });
          if (convergenceReason !== 'quality_met') throw new Error(`${label} ended by ${convergenceReason}`);
          took.push(performance.now() - started);
        }
      }),
    );
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - began) / 1_000;
  const [after, bytesAfter] = [usages(parts), await stored(stack)];
  const sorted = took.sort((first, second) => first - second);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  const costs = Object.keys(parts).map((name): [string, Cost] => {
    const processorSeconds = after[name]!.processorSeconds - before[name]!.processorSeconds;
    return [name, { processorMs: (processorSeconds / loops) * 1_000, peakBytes: peaks[name]! }];
  });
  return {
    loopsPerSecond: loops / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    costs: Object.fromEntries(costs),
    stored: {
      temporal: (bytesAfter.temporal - bytesBefore.temporal) / loops,
      payloads: (bytesAfter.payloads - bytesBefore.payloads) / loops,
    },
  };
}
