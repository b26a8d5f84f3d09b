import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { heartbeatOf } from '../../testing/support/heartbeats';
import { killHard, startScript } from '../../testing/support/processes';
import { inScriptedWorld } from '../../testing/support/scripted-world';
import { testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

const asked = (model: ScriptedOpenAI, times: number, patience?: number) =>
  eventually(
    () => requestsOf(model.ledger).length,
    (count) => count === times,
    patience,
  );

describe('the profile standard', () => {
  test.concurrent(
    'a call of 50 s sends two heartbeats, 20 s apart at least',
    async () => {
      await inScriptedWorld({}, [{ reply: { done: true }, delayMs: 50_000 }], async ({ client, model }) => {
        const { workflowId } = await client.start(spec);
        await asked(model, 1);
        const started = Date.now();
        const beats: number[] = [];
        while (Date.now() < started + 49_000) {
          const beat = await heartbeatOf(client, workflowId);
          if (beat !== undefined && beats.at(-1) !== beat) beats.push(beat);
          await sleep(500);
        }
        expect(await client.result(workflowId)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
        expect(beats).toHaveLength(2);
        expect(beats[1]! - beats[0]!).toBeGreaterThan(19_000);
        expect(requestsOf(model.ledger)).toHaveLength(1);
      });
    },
    90_000,
  );

  test.concurrent(
    'a call whose worker is killed is made again 30 s after its last heartbeat, and the run goes on at once',
    async () => {
      const model = await ScriptedOpenAI.start({
        script: [{ fault: 'hang' }, { reply: { done: false } }, { reply: { done: true } }],
      });
      const taskQueue = `standard-${randomUUID()}`;
      const env = {
        TEMPORAL_ADDRESS: testAddress(),
        REFLECT_TASK_QUEUE: taskQueue,
        OPENAI_BASE_URL: model.baseUrl,
        REFLECT_RECOVERY: 'standard',
      };
      const worker = () => startScript('testing/support/worker-process.ts', { readyWhen: /ready/, env });
      const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
      const started = [await worker()];
      try {
        const { workflowId } = await client.start({
          ...spec,
          evaluator: { type: 'schema', schema: { properties: { done: { const: true } } } },
        });
        await asked(model, 1);
        await killHard(started[0]!);
        started.push(await worker());
        expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 2 });
        const [cut, again, after] = requestsOf(model.ledger).map(({ at }) => at);
        console.info(`standard: made again after ${again! - cut!} ms, and the next call ${after! - again!} ms later`);
        expect(again! - cut!).toBeLessThan(32_000);
        // The decision does not wait for the dead worker's memory: the server knows by then that nobody polls for it.
        expect(after! - again!).toBeLessThan(5_000);
      } finally {
        for (const process of started) await killHard(process);
        await client.close();
        await model.close();
      }
    },
    90_000,
  );
});
