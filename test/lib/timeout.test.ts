import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineAction } from '../../src/actions/define-action';
import { createActionRegistry } from '../../src/actions/registry';
import { z } from 'zod';
import { functionEvaluator } from '../../src/evaluators/function';
import type { EvaluationInput, EvaluationContext } from '../../src/evaluators/types';
import { atMost, orAborted, retryUntil, withTimeout } from '../../src/lib/timeout';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Whether something is collected soon, long before a timeout of an hour. */
async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    await sleep(20);
    collectGarbage();
    if (reference.deref() === undefined) return true;
  }
  return false;
}

const HOUR = 3_600_000;

describe('withTimeout', () => {
  test('aborts after its time, and says so', async () => {
    const work = withTimeout(20, undefined, (signal, isTimeUp) =>
      sleep(10_000, undefined, { signal }).catch(() => isTimeUp()),
    );
    expect(await work).toBe(true);
  });

  test.each([true, false])('passes on why it was cancelled (before it began: %s)', async (isBefore) => {
    const controller = new AbortController();
    const reason = new Error('nobody waits');
    if (isBefore) controller.abort(reason);
    const work = withTimeout(HOUR, controller.signal, (signal, isTimeUp) =>
      orAborted(new Promise(() => undefined), signal).catch((error: unknown) => [error, isTimeUp()]),
    );
    controller.abort(reason);
    expect(await work).toEqual([reason, false]);
  });

  test('keeps neither the result nor the work once it has ended', async () => {
    const cancelled = new AbortController();
    const ended = async (): Promise<WeakRef<object>> => {
      const result = { large: 'x'.repeat(1_000) };
      await withTimeout(HOUR, cancelled.signal, (signal) => orAborted(Promise.resolve(result), signal));
      return new WeakRef(result);
    };
    expect(await isCollected(await ended())).toBe(true);
  });

  test('an evaluator that calls an action keeps nothing of its answer', async () => {
    const judged = async (): Promise<WeakRef<object>> => {
      const answer = { valid: false, reason: 'x'.repeat(1_000) };
      const actions = createActionRegistry([
        defineAction({ name: 'judge', description: 'Judges.', input: z.unknown(), run: async () => answer }),
      ]);
      const input = {
        output: '',
        state: {},
        task: '',
        iteration: 1,
        workflowId: 'w',
        timeoutMs: HOUR,
        qualityThreshold: 1,
      };
      const context = { actions, signal: new AbortController().signal, attempt: 1 };
      const judgement = await functionEvaluator.evaluate(
        { type: 'function', action: 'judge' },
        input as unknown as EvaluationInput,
        context as unknown as EvaluationContext,
      );
      expect(judgement.outcome).toBe('fail');
      return new WeakRef(answer);
    };
    expect(await isCollected(await judged())).toBe(true);
  });
});

describe('atMost', () => {
  test('gives the result of work that ends in time', async () => {
    await expect(atMost(HOUR, Promise.resolve('done'))).resolves.toBe('done');
    await expect(atMost(HOUR, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  test('gives nothing, or what it is told to, for work that takes longer', async () => {
    // Work that never ends is late on a busy machine, too.
    const endless = new Promise<never>(() => undefined);
    await expect(atMost(5, endless)).resolves.toBeUndefined();
    await expect(atMost(5, endless, () => 'late')).resolves.toBe('late');
    const fail = () => {
      throw new Error('late');
    };
    await expect(atMost(5, endless, fail)).rejects.toThrow('late');
  });

  test('ignores a failure after the time', async () => {
    let fail: (error: Error) => void;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    await expect(atMost(1, work)).resolves.toBeUndefined();
    fail!(new Error('broken'));
    await expect(work).rejects.toThrow('broken');
  });
});

describe('retryUntil', () => {
  const failing = (times: number) => {
    let calls = 0;
    return () => (++calls > times ? Promise.resolve(calls) : Promise.reject(new Error(`attempt ${calls}`)));
  };

  test('repeats work with longer and longer pauses', async () => {
    const pauses: number[] = [];
    const isOver = (_error: unknown, pauseMs: number) => {
      pauses.push(pauseMs);
      return false;
    };
    await expect(retryUntil(failing(4), { firstMs: 1, longestMs: 4, isOver })).resolves.toBe(5);
    expect(pauses).toEqual([1, 2, 4, 4]);
  });

  test('throws the failure with which it is over', async () => {
    const isOver = (error: unknown) => (error as Error).message === 'attempt 2';
    await expect(retryUntil(failing(4), { firstMs: 1, isOver })).rejects.toThrow('attempt 2');
  });

  test('ends with its signal, also in a pause', async () => {
    const ending = new AbortController();
    const { signal } = ending;
    const isOver = () => {
      // In the pause after the first attempt.
      setImmediate(() => ending.abort());
      return false;
    };
    const work = retryUntil(failing(9), { firstMs: HOUR, isOver, signal });
    await expect(work).rejects.toThrow(/abort/i);
    await expect(retryUntil(failing(0), { firstMs: 1, isOver: () => false, signal })).rejects.toBe(signal.reason);
  });
});
