import { join } from 'node:path';
import { endIdleThreads, offload } from '../../../src/lib/threads/offload';
import { checkAt, TimeBudget, TimeBudgetExceeded, runWithinTimeBudget } from '../../../src/lib/threads/time-budget';
import { isLighterThan } from '../../../src/lib/threads/weight';
import { backtrack, double, fail, nothing, sleep, work } from './operations';
import { MainThreadWatch } from '../../../testing/support/main-thread';

const file = join(__dirname, 'operations.ts');
const key = (input: unknown) => JSON.stringify(input);
const here = { isSmall: () => true, key };
const elsewhere = { isSmall: () => false, key };
const places = { here, elsewhere };

afterAll(endIdleThreads);

describe('work that is done where it holds up nobody', () => {
  test.each(['here', 'elsewhere'] as const)('gives the same result and the same failure %s', async (place) => {
    const given = places[place];
    expect(await offload({ file, name: 'double', run: double, ...given })({ value: 4 })).toBe(8);
    expect(await offload({ file, name: 'nothing', run: nothing, ...given })({})).toBeUndefined();
    const failing = offload({ file, name: 'fail', run: fail, ...given });
    await expect(failing({ message: 'no' })).rejects.toMatchObject({ name: 'Peculiar', message: 'no' });
  });

  test('what is small and takes long goes on in a thread, and is not tried in the event loop again', async () => {
    const inThisThread: number[] = [];
    const run = (input: { milliseconds: number }) => {
      inThisThread.push(input.milliseconds);
      return work(input);
    };
    const worked = offload({ file, name: 'work', run, ...here });
    // Until it had a processor for long enough: in the second try, or in the first if that was interrupted late.
    for (let count = 0; count < 60; count++) expect(await worked({ milliseconds: 40 })).toBe('done');
    const tries = inThisThread.length;
    expect(tries).toBeGreaterThan(0);
    expect(tries).toBeLessThan(60);
    expect(await worked({ milliseconds: 40 })).toBe('done');
    expect(inThisThread).toHaveLength(tries);
    expect(await worked({ milliseconds: 1 })).toBe('done');
    expect(inThisThread.at(-1)).toBe(1);
  });

  test('many small ones hold the event loop for no longer than a few', async () => {
    const worked = offload({ file, name: 'work', run: work, ...here });
    // Started, so that nothing waits for it.
    await offload({ file, name: 'double', run: double, ...elsewhere })({ value: 1 });
    const watch = new MainThreadWatch();
    await runWithinTimeBudget(new TimeBudget(60_000), async () => {
      for (let count = 0; count < 60; count++) await worked({ milliseconds: 8 });
    });
    // All of them take half a second.
    expect(watch.stop()).toBeLessThan(300);
  });

  test('those of many activities hold one turn of the event loop for no longer than those of one', async () => {
    let inThisThread = 0;
    const run = (input: { milliseconds: number }) => {
      inThisThread += 1;
      return work(input);
    };
    const worked = offload({ file, name: 'work', run, ...here });
    await Promise.all(
      Array.from({ length: 20 }, () => runWithinTimeBudget(new TimeBudget(60_000), () => worked({ milliseconds: 7 }))),
    );
    // 30 ms, and the last that was begun within them.
    expect(inThisThread).toBeLessThanOrEqual(5);
    expect(inThisThread).toBeGreaterThan(0);
  });
});

describe('one time for many checks', () => {
  const search = offload({ file, name: 'backtrack', run: backtrack, ...elsewhere });

  test('ends what exceeds it, says where it was, and lets nothing more begin', async () => {
    const budget = new TimeBudget(200);
    const failure: unknown = await runWithinTimeBudget(budget, async () =>
      checkAt('/evaluator/3', async () => checkAt('/schema', async () => search({ letters: 40 }))),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TimeBudgetExceeded);
    expect(failure).toMatchObject({ message: 'took longer than 200 ms', place: '/evaluator/3/schema' });
    await expect(runWithinTimeBudget(budget, async () => search({ letters: 1 }))).rejects.toBeInstanceOf(
      TimeBudgetExceeded,
    );
    expect(await search({ letters: 1 })).toBe(false);
  });

  test('counts checks in the event loop, too', async () => {
    const worked = offload({ file, name: 'work', run: work, ...here });
    const all = runWithinTimeBudget(new TimeBudget(100), async () => {
      for (;;) await worked({ milliseconds: 5 });
    });
    await expect(all).rejects.toThrow('took longer than 100 ms');
  });

  test('what stood in line for a processor meanwhile is held against none', async () => {
    // They wait for 200 ms together, and work for next to nothing.
    const budget = new TimeBudget(60);
    const slept = offload({ file, name: 'sleep', run: sleep, ...here });
    await runWithinTimeBudget(budget, async () => {
      for (let count = 0; count < 25; count += 1) expect(await slept({ milliseconds: 8 })).toBe('slept');
    });
    expect(budget.leftMs).toBeGreaterThan(0);
  });

  test('begins nothing once nobody waits', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('gone'));
    const asked = runWithinTimeBudget(new TimeBudget(1_000, leaving.signal), async () => search({ letters: 1 }));
    await expect(asked).rejects.toThrow('gone');
  });
});

test.each<[unknown, boolean]>([
  ['x'.repeat(80), true],
  ['x'.repeat(100), false],
  [[1, 2, 3], true],
  [Array.from({ length: 100_000 }), false],
  [{ a: { b: { c: 'd' } } }, true],
  [{ ['k'.repeat(200)]: 1 }, false],
  [null, true],
])('%# is weighed without looking at all of it', (value, isLight) => {
  expect(isLighterThan(100, value)).toBe(isLight);
});
