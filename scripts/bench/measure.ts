import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { StartOptions } from '../../src/client';
import { startListed } from '../../src/calls/started-attributes';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { BenchWorld, LoopName, ProcessorTime } from './world';
import { LOOPS } from './world';

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Milliseconds that one run takes, from the start to the result in the client's hand. */
export async function latency({ client }: BenchWorld, loop: LoopName, spec: ReflectionSpec): Promise<number> {
  const { type, taskQueue } = LOOPS[loop];
  const started = performance.now();
  const start = (typedSearchAttributes?: StartOptions['typedSearchAttributes']) =>
    client.workflow.start(type, { typedSearchAttributes, taskQueue, workflowId: randomUUID(), args: [spec] });
  // As our client does.
  const handle = await (loop === 'ours' ? startListed(client, 'loop', undefined, start) : start());
  await handle.result();
  return performance.now() - started;
}

/** What runs at full load give. */
export interface Load {
  /** Runs a second. */
  rate: number;
  /** Milliseconds of processor time a run. */
  processor: ProcessorTime;
}

/** Carries out so many runs, so many of them at a time. */
export async function load(
  world: BenchWorld,
  loop: LoopName,
  spec: ReflectionSpec,
  { runs, concurrency }: { runs: number; concurrency: number },
): Promise<Load> {
  let left = runs;
  const before = await world.processorTime(loop);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        await latency(world, loop, spec);
      }
    }),
  );
  const rate = (runs / (performance.now() - started)) * 1000;
  const after = await world.processorTime(loop);
  const server = after.server === undefined ? undefined : (after.server - before.server!) / runs;
  return { rate, processor: { worker: (after.worker - before.worker) / runs, server } };
}

/** Bytes of a finished run's history, the last event (which holds the result) not counted. */
export async function historyBytes(
  client: Client,
  taskQueue: string,
  type: string,
  spec: ReflectionSpec,
): Promise<{ events: number; bytes: number }> {
  const workflowId = randomUUID();
  await client.workflow.execute(type, { taskQueue, workflowId, args: [spec] });
  const total = { events: 0, bytes: 0 };
  let runId: string | undefined;
  const { workflowExecutionInfo } = (await client.workflow.getHandle(workflowId).describe()).raw;
  runId = workflowExecutionInfo?.execution?.runId ?? undefined;
  while (runId) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const description = await client.workflow.getHandle(workflowId, runId).describe();
    const completed = history.events!.at(-1)!.workflowExecutionCompletedEventAttributes;
    const result = completed?.result?.payloads?.[0]?.data?.length ?? 0;
    total.events += history.events!.length;
    total.bytes += Number(description.raw.workflowExecutionInfo?.historySizeBytes ?? 0) - result;
    runId = history.events![0]!.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return total;
}
