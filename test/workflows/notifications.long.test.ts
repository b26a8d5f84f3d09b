import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { startWorld } from '../../testing/support/loop-world';
import { killHard, startScript } from '../../testing/support/processes';
import { isSigned, startReceiver } from '../../testing/support/receiver';
import { testAddress } from '../../testing/support/temporal-server';
import { wholeHistory } from '../../testing/support/whole-history';

const SECRET = 'a-secret-that-nobody-knows';
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'regex', pattern: 'sorry' },
  maxIterations: 1,
  review: { when: 'on_exhausted', timeout: '1d' },
};

test('a worker that is killed after it posted has the same message sent again; one whose delivery is recorded is never sent again', async () => {
  // The first attempt arrives, and has no answer when its worker dies.
  const receiver = await startReceiver((_, { length }) => (length === 1 ? undefined : 200));
  const model = await ScriptedOpenAI.start({ script: [{ reply: 'Your order is late.' }] });
  const taskQueue = `told-${randomUUID()}`;
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  const startWorker = () =>
    startScript('testing/support/worker-process.ts', {
      readyWhen: /ready/,
      env: {
        TEMPORAL_ADDRESS: testAddress(),
        REFLECT_TASK_QUEUE: taskQueue,
        OPENAI_BASE_URL: model.baseUrl,
        REFLECT_NOTIFY_URL: receiver.url,
        REFLECT_NOTIFY_SECRET: SECRET,
        REFLECT_ALLOW_PRIVATE_ADDRESSES: '1',
      },
    });
  let worker = await startWorker();
  const { workflowId } = await client.start(spec);
  const arrived = (count: number) =>
    eventually(
      () => receiver.received.length,
      (length) => length >= count,
      90_000,
    );
  await arrived(1);
  await killHard(worker);
  worker = await startWorker();
  await arrived(2);
  const [first, second] = receiver.received;
  expect(second!.text).toBe(first!.text);
  expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  expect(receiver.received.every((message) => isSigned(message, SECRET))).toBe(true);
  const recorded = async () => {
    const { events } = await wholeHistory(client, workflowId);
    const sent = events!.find((event) => {
      return event.activityTaskScheduledEventAttributes?.activityType?.name === 'reflection.notify';
    });
    return events!.some(({ activityTaskCompletedEventAttributes: completed }) => {
      return completed?.scheduledEventId?.toString() === sent?.eventId?.toString();
    });
  };
  await eventually(recorded, Boolean, 30_000);
  await killHard(worker);
  worker = await startWorker();
  // The new worker replays the run to answer.
  expect(await client.progress(workflowId, { timeout: '60s' })).toMatchObject({ phase: 'waiting' });
  await client.accept(workflowId, {}, { timeout: '60s' });
  await client.result(workflowId);
  expect(receiver.received).toHaveLength(2);
  expect(JSON.stringify(await wholeHistory(client, workflowId))).not.toContain(SECRET);
  await killHard(worker);
  await client.close();
  await model.close();
  await receiver.close();
}, 240_000);

test('a batch tells of the waits of its items in one message a minute', async () => {
  process.env['BATCH_SECRET'] = SECRET;
  const receiver = await startReceiver();
  const model = await ScriptedOpenAI.start({ script: () => ({ reply: 'Your order is late.' }) });
  const world = await startWorld({
    models: [{ name: 'scripted', model: 'scripted', baseUrl: model.baseUrl }],
    externalCalls: { allowPrivateAddresses: true },
    notify: { url: receiver.url, secretVariable: 'BATCH_SECRET', include: 'text' },
  });
  const items = Array.from({ length: 5 }, (_, index) => ({ id: `item-${index}`, state: {} }));
  const { workflowId } = await world.client.batches.start(items, spec);
  await eventually(
    () => receiver.received.length,
    (length) => length > 0,
    90_000,
  );
  const [message] = receiver.received;
  expect(isSigned(message!, SECRET)).toBe(true);
  expect(message!.body).toMatchObject({ type: 'batch.waits', data: { batch: workflowId } });
  const { waits } = message!.body.data;
  expect(waits.map((wait) => wait.workflowId).toSorted()).toEqual(items.map(({ id }) => `${workflowId}/${id}`));
  for (const { commands, text } of waits) expect([commands, text!.value]).toEqual([undefined, undefined]);
  for (const wait of waits) await world.client.accept(wait.workflowId);
  expect(await world.client.batches.result(workflowId)).toMatchObject({ passed: 5 });
  expect(receiver.received).toHaveLength(1);
  await world.close();
  await model.close();
  await receiver.close();
}, 240_000);
