import { setTimeout as sleep } from 'node:timers/promises';
import { RECOVERY_PROFILES } from '../../src/lib/limits/recovery';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { createWorker } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { eventually } from '../../testing/support/eventually';
import { heartbeatOf } from '../../testing/support/heartbeats';
import { shortestTime } from '../../testing/support/measure-again';
import { inScriptedWorld } from '../../testing/support/scripted-world';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

// Each starts workers of its own.
jest.setTimeout(60_000);

describe('recovery', () => {
  test.each([['standard'], ['steady'], ['fast'], [undefined]] as const)(
    'the %s profile of the worker that prepares a run decides its heartbeats',
    async (recovery) => {
      const options = recovery === undefined ? {} : { recovery };
      await inScriptedWorld(options, [{ reply: { done: true } }], async ({ client }) => {
        const { workflowId } = await client.start(spec);
        await client.result(workflowId);
        const { events } = await client.temporal.workflow.getHandle(workflowId).fetchHistory();
        const timeouts = events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled ? [Number(scheduled.heartbeatTimeout!.seconds) * 1_000] : [],
        );
        expect(timeouts).toEqual([RECOVERY_PROFILES[recovery ?? 'standard'].heartbeatTimeoutMs]);
      });
    },
  );

  test('a call of 4 s sends no heartbeat with standard, and with steady one a second', async () => {
    const beatsOf = async (recovery: 'standard' | 'steady') => {
      const beats = new Set<number>();
      await inScriptedWorld({ recovery }, [{ reply: { done: true }, delayMs: 4_000 }], async ({ client, model }) => {
        const { workflowId } = await client.start(spec);
        await eventually(
          () => requestsOf(model.ledger).length,
          (count) => count === 1,
        );
        for (const until = Date.now() + 3_800; Date.now() < until; await sleep(100)) {
          const beat = await heartbeatOf(client, workflowId);
          if (beat !== undefined) beats.add(beat);
        }
        await client.result(workflowId);
      });
      return beats.size;
    };
    expect(await beatsOf('standard')).toBe(0);
    expect(await beatsOf('steady')).toBeGreaterThanOrEqual(2);
  });

  test('with standard, too, a worker that shuts down hands its call over at once', async () => {
    const script = [{ fault: 'hang' as const }, { reply: { done: true } }];
    const handOver = async (): Promise<number> => {
      let took = 0;
      await inScriptedWorld({ recovery: 'standard' }, script, async ({ client, model, close, another }) => {
        const { workflowId } = await client.start(spec);
        await eventually(
          () => requestsOf(model.ledger).length,
          (count) => count === 1,
        );
        const next = await another();
        const started = Date.now();
        await close();
        expect(await next.client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 1 });
        took = Date.now() - started;
        expect(requestsOf(model.ledger)).toHaveLength(2);
      });
      return took;
    };
    expect(await shortestTime(5_000, handOver)).toBeLessThan(5_000);
  });

  test('a profile that does not exist is an error of the worker', async () => {
    await expect(createWorker({ recovery: 'quick' as 'fast' })).rejects.toThrow('no recovery profile "quick"');
  });
});
