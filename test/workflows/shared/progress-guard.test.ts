import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { MOST_IDLE_TURNS } from '../../../src/lib/base/turns';
import { testAddress } from '../../../testing/support/temporal-server';
import '../../../testing/support/quiet';

describe('the guard against turns without progress', () => {
  let native: NativeConnection;
  let connection: Connection;
  const taskQueue = `spins-${randomUUID()}`;
  beforeAll(async () => {
    native = await NativeConnection.connect({ address: testAddress() });
    connection = await Connection.connect({ address: testAddress() });
  });
  afterAll(async () => {
    await connection.close();
    await native.close();
  });

  async function run(name: string, args: unknown[]) {
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowsPath: require.resolve('../spinning-workflow'),
    });
    const workflowId = `${name}-${randomUUID()}`;
    const client = new Client({ connection });
    return worker.runUntil(async () => {
      const outcome = await client.workflow.execute(name, { taskQueue, workflowId, args }).then(
        (value: unknown) => ({ value }),
        (error: { cause: { type: string; message: string } }) => error.cause,
      );
      const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
      return { outcome, failedTasks: events?.filter((event) => event.workflowTaskFailedEventAttributes).length };
    });
  }

  test('a loop that spins in microtasks fails its run with a type, at its first task', async () => {
    const { outcome, failedTasks } = await run('spins', []);
    expect(outcome).toMatchObject({ type: 'NoProgress', message: expect.stringContaining('A test turned 100 times') });
    expect(failedTasks).toBe(0);
  }, 30_000);

  test('a loop that waits in each turn may take as many as it likes', async () => {
    const { outcome, failedTasks } = await run('waits', [MOST_IDLE_TURNS + 5]);
    expect(outcome).toEqual({ value: MOST_IDLE_TURNS + 5 });
    expect(failedTasks).toBe(0);
  }, 30_000);
});
