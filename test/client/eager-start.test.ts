import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import { ReflectionClient } from '../../src/client';
import { createWorker, defineAction } from '../../src/worker';
import '../../testing/support/quiet';
import { testAddress } from '../../testing/support/temporal-server';

const writes = defineAction({ name: 'writes', description: 'Writes.', input: z.unknown(), run: () => 'a text' });

test('a client that shares its connection with a worker gets the first workflow task along with the start', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const taskQueue = `test-${randomUUID()}`;
  const worker = await createWorker({ connection, taskQueue, actions: [writes] });
  const running = worker.run();
  const client = new ReflectionClient(new Client({ connection }), taskQueue);
  try {
    const spec = { generator: { action: 'writes' }, evaluator: { type: 'regex', pattern: 'text' } } as const;
    const { workflowId } = await client.start(spec);
    expect(await client.result(workflowId)).toMatchObject({ success: true });
    const { events } = await client.temporal.workflow.getHandle(workflowId).fetchHistory();
    expect(events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
  } finally {
    worker.shutdown();
    await running;
    await connection.close();
  }
});
