import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ACTIVATION_TIME } from '../../src/worker/activation-time';
import { createWorker } from '../../src/worker';
import { spin } from '../../testing/support/busy-workflow';
import '../../testing/support/quiet';
import { testAddress } from '../../testing/support/temporal-server';

/** More than the 5 s after which the SDK ends an activation, less than the 10 s of a workflow task. */
const BUSY_MS = 6_500;

/** How many turns take as long on this machine. */
function turnsFor(ms: number): number {
  const sample = 50_000_000;
  spin(sample);
  const began = performance.now();
  spin(sample);
  return Math.round((sample * ms) / (performance.now() - began));
}

test('an activation that takes longer than 5 s because the machine is busy does not end the worker', async () => {
  const address = testAddress();
  const taskQueue = `busy-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address });
  const workflowsPath = require.resolve('../../testing/support/busy-workflow');
  const worker = await Worker.create({ ...ACTIVATION_TIME, connection, taskQueue, workflowsPath });
  const client = new Client({ connection: await Connection.connect({ address }) });
  const turns = turnsFor(BUSY_MS);
  const began = Date.now();
  const result = await worker.runUntil(
    client.workflow.execute('busy', { taskQueue, workflowId: randomUUID(), args: [turns] }),
  );
  expect(result).toBe(spin(turns));
  expect(Date.now() - began).toBeGreaterThan(5_000);
  await client.connection.close();
  await connection.close();
}, 60_000);

test('the workers of runs have that time', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const create = jest.spyOn(Worker, 'create');
  const worker = await createWorker({ connection, taskQueue: `busy-${randomUUID()}`, serve: 'loops' });
  expect(create.mock.calls[0]![0]).toMatchObject(ACTIVATION_TIME);
  create.mockRestore();
  const running = worker.run();
  worker.shutdown();
  await running;
  await connection.close();
});
