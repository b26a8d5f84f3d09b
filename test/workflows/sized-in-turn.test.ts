import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { testAddress } from '../../testing/support/temporal-server';
import '../../testing/support/quiet';

// To size what a hundred judges are given takes most of a second, and the SDK ends a worker whose activation takes long.
test('of calls that do not fit into one workflow task, those are sized whose turn has come, and the next', async () => {
  const native = await NativeConnection.connect({ address: testAddress() });
  const connection = await Connection.connect({ address: testAddress() });
  const taskQueue = `sized-${randomUUID()}`;
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: require.resolve('./sized-workflow'),
    activities: { 'reflection.hasSearchAttributes': () => Promise.resolve(true) },
  });
  try {
    const client = new Client({ connection });
    const options = { taskQueue, workflowId: `sized-${randomUUID()}`, args: [12, 1_000_000] };
    // Two of a megabyte and what stands around them are less than 3 MB.
    expect(await worker.runUntil(() => client.workflow.execute('sizes', options))).toEqual([3, 12]);
  } finally {
    await connection.close();
    await native.close();
  }
}, 60_000);
