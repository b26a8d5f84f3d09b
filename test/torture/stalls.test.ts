import { setTimeout as pause } from 'node:timers/promises';
import { type Stall, watchStalls } from '../../testing/torture/stalls';
import { block } from '../../testing/torture/worker-hooks';

test('an event loop that stood still is noticed, with when', async () => {
  const stalls: Stall[] = [];
  const stop = watchStalls((stall) => stalls.push(stall));
  await pause(300);
  const at = Date.now();
  block(1_400);
  const until = Date.now();
  await pause(300);
  stop();
  const found = stalls.find((stall) => stall.at <= at && stall.until >= until);
  expect(found).toBeDefined();
  // From the last sign of life before it.
  expect(found!.until - found!.at).toBeGreaterThanOrEqual(1_400);
});
