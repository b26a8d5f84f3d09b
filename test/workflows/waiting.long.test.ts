import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { inScriptedWorld } from '../../testing/support/scripted-world';
import { startWorld } from '../../testing/support/loop-world';

const done = { reply: { done: true }, times: 'always' } as const;

const asks = (more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  ...more,
});

/** So short that all attempts together had twelve seconds from the time at which the call was scheduled. */
const short = { timeouts: { modelCall: '2s', retryFor: '3s' } } as const;

describe('waiting is not failing', () => {
  test.concurrent(
    'a backlog of 20 s fails no run whose retryFor is 3 s',
    async () => {
      await inScriptedWorld({ maxModelCallsPerSecond: 2 }, [done], async ({ client, model }) => {
        const runs = await Promise.allSettled(Array.from({ length: 44 }, () => client.run(asks(short))));
        expect(runs.map((run) => (run.status === 'fulfilled' ? run.value.success : String(run.reason)))).toEqual(
          runs.map(() => true),
        );
        expect(requestsOf(model.ledger)).toHaveLength(44);
      });
    },
    90_000,
  );

  test.concurrent(
    '15 s without a worker fail no run whose retryFor is 3 s, neither before nor after a failure',
    async () => {
      const away = { match: 'second', status: 503 } as const;
      await inScriptedWorld({ recovery: 'fast' }, [away, done], async ({ client, model, another, close }) => {
        const first = await client.start(asks(short));
        await client.result(first.workflowId);
        const { workflowId } = await client.start(
          asks({ ...short, generator: { action: 'llm.call', prompt: 'The second.' } }),
        );
        while (!model.ledger.some(({ status }) => status === 503)) await sleep(20);
        await close();
        await sleep(15_000);
        const later = await another();
        expect(await later.client.result(workflowId)).toMatchObject({ success: true });
        expect(requestsOf(model.ledger)).toHaveLength(3);
      });
    },
    90_000,
  );

  test.concurrent(
    'a model that fails for good is given up after retryFor',
    async () => {
      const down = { status: 503, times: 'always' } as const;
      await inScriptedWorld({ circuitBreaker: false }, [down], async ({ client, model }) => {
        const started = performance.now();
        const run = client.run(asks({ timeouts: { retryFor: '4s' } }));
        await expect(run).rejects.toMatchObject({ type: 'Model.Unavailable' });
        expect(performance.now() - started).toBeLessThan(30_000);
        // After 1 s and 2 s more; the next would come after 4 s.
        expect(requestsOf(model.ledger).length).toBeGreaterThanOrEqual(2);
        expect(requestsOf(model.ledger).length).toBeLessThanOrEqual(4);
      });
    },
    60_000,
  );

  test.concurrent(
    'an action that never ends is given up after retryFor, although each attempt is lost to its timeout',
    async () => {
      let attempts = 0;
      const hangs = defineAction({
        name: 'hangs',
        description: 'Never answers.',
        input: z.unknown(),
        run: () => {
          attempts += 1;
          return new Promise<null>(() => undefined);
        },
      });
      const world = await startWorld({ actions: [hangs], recovery: 'fast' });
      try {
        const spec = asks({ generator: { action: 'hangs' }, timeouts: { step: '1500ms', retryFor: '4s' } });
        const run = world.client.run(spec);
        await expect(run).rejects.toMatchObject({ type: 'StepFailed' });
        expect(attempts).toBeGreaterThanOrEqual(2);
        expect(attempts).toBeLessThanOrEqual(6);
      } finally {
        await world.close();
      }
    },
    60_000,
  );
});

test('a worker whose clock is two hours ahead tries again as others do', async () => {
  await inScriptedWorld({}, [{ status: 500 }, done], async ({ client, model }) => {
    const real = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + 7_200_000);
    try {
      const result = await client.run(asks({ timeouts: { retryFor: '60s' } }));
      expect(result).toMatchObject({ success: true });
      expect(requestsOf(model.ledger)).toHaveLength(2);
    } finally {
      clock.mockRestore();
    }
  });
}, 30_000);
