import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/measure';
import type { Stack } from '../stack';

const TIMES = 5;
const PORT = 9464;

/** Milliseconds from the start of a worker's container until it polls its queues: of five starts. */
export async function startTimes(
  { engine, compose }: Stack,
  container: string,
): Promise<{ median: number; most: number }> {
  const took: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await engine.podman(['stop', '--time', '45', container]);
    const began = performance.now();
    await engine.podman(['start', container]);
    const address = await compose.addressOf(container);
    const isReady = () =>
      fetch(`http://${address}:${PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) await sleep(20);
    took.push(performance.now() - began);
  }
  return { median: median(took), most: Math.max(...took) };
}
