import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** Longer than the SDK waits without a timer of the workflow. */
const ASKED_MS = 11_000;

let attempts: number[] = [];
const far = defineAction({
  name: 'far',
  description: 'Asks for a long wait each time.',
  input: z.unknown(),
  local: true,
  run(_input, { attempt }) {
    attempts.push(attempt);
    throw ApplicationFailure.create({ message: 'not now', type: 'Busy', nextRetryDelay: ASKED_MS });
  },
});

describe('a local action that asks for waits which are timers', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [far] });
  });
  afterAll(() => world.close());
  beforeEach(() => {
    attempts = [];
  });

  const timeouts = { retryFor: '25s', step: '1s' } as const;
  const judge = { type: 'regex', pattern: '.' } as const;

  test('as a step: all attempts together end with `retryFor`', async () => {
    const began = Date.now();
    const run = world.client.run({ generator: { action: 'far' }, evaluator: judge, timeouts });
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining('not now') });
    expect(attempts).toEqual([1, 2, 3]);
    expect(Date.now() - began).toBeLessThan(35_000);
  }, 90_000);

  test('with a time budget: that ends them', async () => {
    const began = Date.now();
    const budget = { wallClock: '15s' } as const;
    const result = await world.client.run({ generator: { action: 'far' }, evaluator: judge, timeouts, budget });
    expect(result).toMatchObject({ success: false, convergenceReason: 'time_budget' });
    expect(attempts).toEqual([1, 2]);
    expect(Date.now() - began).toBeLessThan(25_000);
  }, 90_000);
});
