import { randomUUID } from 'node:crypto';
import { WorkerFleet } from '../../testing/torture/worker-fleet';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

test('a worker that stalls for 3 s in the middle of a call does not make it again', async () => {
  const scripted = await ScriptedOpenAI.start({ script: [{ reply: { done: true }, delayMs: 6_000 }] });
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
  await scripted.close();
}, 60_000);
