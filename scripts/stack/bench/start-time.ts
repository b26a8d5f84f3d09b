import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/measure';
import { run } from '../engine';
import type { Stack } from '../stack';

const TIMES = 5;
const PORT = 9464;

/** Milliseconds from the start of a container of the worker until it polls its queues. */
export interface StartTimes {
  /** With nothing of the image in memory. */
  cold: number;
  /** The middle, and the largest, of five more. */
  median: number;
  most: number;
}

async function startTime({ engine, compose }: Stack, container: string, isCold: boolean): Promise<number> {
  await engine.podman(['stop', '--time', '45', container]);
  if (isCold) {
    await run(['sync']);
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  }
  const began = performance.now();
  await engine.podman(['start', container]);
  const address = await compose.addressOf(container);
  const isReady = (): Promise<boolean> =>
    fetch(`http://${address}:${PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await sleep(20);
  return performance.now() - began;
}

export async function startTimes(stack: Stack, container: string): Promise<StartTimes> {
  const cold = await startTime(stack, container, true);
  const took: number[] = [];
  for (let time = 0; time < TIMES; time += 1) took.push(await startTime(stack, container, false));
  return { cold, median: median(took), most: Math.max(...took) };
}
