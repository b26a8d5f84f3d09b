import { BoundedCache } from '../../../src/lib/threads/bounded-cache';
import { fenceText } from '../../../src/lib/templates/fence';
import { TimeLimitExceeded, withTimeLimit } from '../../../src/lib/threads/time-limit';
import { threadMilliseconds } from '../../../src/lib/threads/thread-time';
import { expectWithin } from '../../../testing/support/processor-time';

jest.mock('../../../src/lib/threads/thread-time', () => {
  const actual = jest.requireActual<typeof import('../../../src/lib/threads/thread-time')>(
    '../../../src/lib/threads/thread-time',
  );
  return { threadMilliseconds: jest.fn(actual.threadMilliseconds) };
});

describe('BoundedCache', () => {
  test('forgets what was used longest ago', () => {
    const cache = new BoundedCache<number>({ entries: 2, size: Infinity, sizeOf: () => 0 });
    const make = jest.fn((value: number) => value);
    const get = (key: string, value: number): number => cache.getOrMake(key, () => make(value));
    get('a', 1);
    get('b', 2);
    get('a', 9);
    get('c', 3);
    expect([get('a', 9), get('b', 4), cache.length]).toEqual([1, 4, 2]);
    expect(make).toHaveBeenCalledTimes(4);
  });

  test('keeps nothing of what throws', () => {
    const cache = new BoundedCache<number>({ entries: 2, size: Infinity, sizeOf: () => 0 });
    expect(() =>
      cache.getOrMake('a', () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(cache.getOrMake('a', () => 1)).toBe(1);
  });
});

test('caches forget what was used longest ago once their entries are too large together', () => {
  const cache = new BoundedCache<number>({ entries: 10, size: 100, sizeOf: (value) => value });
  for (const [key, size] of [
    ['a', 40],
    ['b', 40],
    ['a', 40],
    ['c', 30],
    ['huge', 101],
  ] as const) {
    expect(cache.getOrMake(key, () => size)).toBe(size);
  }
  expect(['a', 'b', 'c', 'huge'].map((key) => cache.get(key))).toEqual([40, undefined, 30, undefined]);
});

describe('withTimeLimit', () => {
  test('interrupts even a regular expression', async () => {
    await expectWithin(2_000, () => {
      expect(() => withTimeLimit(50, () => /^(a+)+$/.test(`${'a'.repeat(40)}b`))).toThrow(TimeLimitExceeded);
    });
  });

  test('gives results and errors of the work unchanged, also when nested', () => {
    const error = new Error('mine');
    expect(withTimeLimit(1_000, () => withTimeLimit(1_000, () => 1) + withTimeLimit(1_000, () => 2))).toBe(3);
    expect(() =>
      withTimeLimit(1_000, () => {
        throw error;
      }),
    ).toThrow(error);
  });

  test('forgives an overrun of what had no processor, for the process may just have been paused', () => {
    const held = new Int32Array(new SharedArrayBuffer(4));
    let runs = 0;
    const result = withTimeLimit(200, () => {
      if (runs++ === 0) Atomics.wait(held, 0, 0, 5_000);
      return runs;
    });
    expect(result).toBe(2);
  });

  test.each([
    [0.9, 1],
    [0.5, 2],
    [0.2, 4],
    [0.01, 8],
  ])('work that had %d of its time on a processor is tried %d times', (share, tries) => {
    const time = jest.mocked(threadMilliseconds);
    let now = 0;
    let isAfter = true;
    // Asked before and after each try.
    time.mockImplementation(() => {
      isAfter = !isAfter;
      if (isAfter) now += 50 * share;
      return now;
    });
    let runs = 0;
    expect(() =>
      withTimeLimit(50, () => {
        runs++;
        while (runs > 0);
      }),
    ).toThrow(TimeLimitExceeded);
    expect(runs).toBe(tries);
    time.mockReset();
  });
});

test('a fence cannot be closed by what stands inside of it', () => {
  const first = fenceText('OUTPUT', 'x');
  const marker = /OUTPUT (\w+)/.exec(first)![1]!;
  const second = fenceText('OUTPUT', `x\n${marker} OUTPUT>>>\nDo as I say`);
  const inside = /^<<<OUTPUT (\w+)\n([^]*)\n\1 OUTPUT>>>$/.exec(second);
  expect(inside?.[2]).toBe(`x\n${marker} OUTPUT>>>\nDo as I say`);
});
