import { randomUUID } from 'node:crypto';
import { WorkerFleet } from '../../scripts/torture/worker-fleet';
import { ReflectionClient } from '../../src/client';
import { RECOVERY_PROFILES } from '../../src/domain/recovery';
import type { ReflectionSpec } from '../../src/domain/spec';
import { createWorker } from '../../src/worker';
import { requestsOf } from '../scripted-openai/ledger';
import { ScriptedOpenAI } from '../scripted-openai/server';
import { eventually } from '../support/eventually';
import { startWorld } from '../support/loop-world';
import { testAddress } from '../support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

describe('recovery', () => {
  let model: ScriptedOpenAI | undefined;
  afterEach(async () => {
    await model?.close();
    model = undefined;
  });

  test('a worker that stalls for 3 s in the middle of a call does not make it again', async () => {
    const scripted = await ScriptedOpenAI.start({ script: [{ reply: { done: true }, delayMs: 6_000 }] });
    model = scripted;
    const taskQueue = `stall-${randomUUID()}`;
    const fleet = new WorkerFleet({ address: testAddress(), modelUrl: scripted.baseUrl, workers: 1, taskQueue });
    await fleet.fill();
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
    const { workflowId } = await client.start(spec);
    await eventually(
      () => requestsOf(scripted.ledger).length,
      (count) => count === 1,
    );
    // Between two heartbeats, which is the worst moment.
    await new Promise((resolve) => setTimeout(resolve, 950));
    fleet.order(fleet.live[0]!, { kind: 'stall', ms: 3_000 });
    expect(await client.result(workflowId)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
    expect(requestsOf(scripted.ledger)).toHaveLength(1);
    await fleet.close();
    await client.close();
  }, 60_000);

  test.each(['steady', 'fast'] as const)(
    'the %s profile of the worker that prepares a run decides its heartbeats',
    async (recovery) => {
      const scripted = await ScriptedOpenAI.start({ script: [{ reply: { done: true } }] });
      model = scripted;
      process.env['OPENAI_BASE_URL'] = scripted.baseUrl;
      const world = await startWorld({ recovery });
      const { workflowId } = await world.client.start(spec);
      await world.client.result(workflowId);
      const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
      const timeouts = events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled ? [Number(scheduled.heartbeatTimeout!.seconds) * 1_000] : [],
      );
      expect(timeouts).toEqual([RECOVERY_PROFILES[recovery].heartbeatTimeoutMs]);
      await world.close();
      delete process.env['OPENAI_BASE_URL'];
    },
  );

  test('a profile that does not exist is an error of the worker', async () => {
    await expect(createWorker({ recovery: 'quick' as 'fast' })).rejects.toThrow('no recovery profile "quick"');
  });
});
