import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReflectionClient } from '../../src/client';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { testAddress } from '../../testing/support/temporal-server';

test('a worker that was frozen for longer than its heartbeat timeout makes a call once more at most', async () => {
  // So slow that calls which were sent together are all under way before the first answers.
  const model = await ScriptedOpenAI.start({ script: [{ reply: { done: true }, delayMs: 3_000, times: 'always' }] });
  const taskQueue = `frozen-${randomUUID()}`;
  const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
  const worker = await startScript('testing/support/worker-process.ts', {
    env: {
      TEMPORAL_ADDRESS: testAddress(),
      REFLECT_TASK_QUEUE: taskQueue,
      REFLECT_RECOVERY: 'fast',
      REFLECT_TEST_MODELS: JSON.stringify(models),
    },
    readyWhen: /ready/,
  });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  try {
    const { workflowId } = await client.start({
      generator: { action: 'llm.call', prompt: 'Write.' },
      evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
    });
    await eventually(
      () => requestsOf(model.ledger).length,
      (count) => count === 1,
    );
    worker.kill('SIGSTOP');
    // The server gives up the first attempt, and others that it hands to the polls of the frozen worker.
    const attempt = await eventually(
      async () => {
        const { raw } = await client.temporal.workflow.getHandle(workflowId).describe();
        return Number(raw.pendingActivities?.[0]?.attempt);
      },
      (count) => count >= 4,
      30_000,
    );
    expect(attempt).toBeGreaterThanOrEqual(4);
    worker.kill('SIGCONT');
    expect(await client.result(workflowId)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
    await sleep(1_000);
    expect(requestsOf(model.ledger).length).toBeLessThanOrEqual(2);
  } finally {
    worker.kill('SIGCONT');
    await killHard(worker);
    await client.close();
    await model.close();
  }
}, 90_000);
