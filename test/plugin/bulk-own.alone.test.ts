import { randomUUID } from 'node:crypto';
import { temporal as protocol } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { ReflectionPlugin } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';
import { answers, bad, looped } from './loops';
import { OWN_WORKFLOWS, startPluginWorld } from './plugin-world';

const { WorkflowTaskFailedCause } = protocol.api.enums.v1;

/** What a server takes for one run, less what the test sends itself. */
const SIGNALS = 9_990;

test('the loop of somebody’s own workflow takes 10,000 commands that came while no worker was there', async () => {
  const before = await startPluginWorld({ actions: [answers] });
  const { temporal, client, taskQueue } = before;
  const spec = { ...looped([bad, bad, bad]), review: { when: 'every_iteration' as const } };
  const handle = await temporal.workflow.start('steered', {
    taskQueue,
    workflowId: `bulk-${randomUUID()}`,
    args: [spec],
  });
  await eventually(
    () => client.progress(handle.workflowId),
    ({ phase }) => phase === 'waiting',
  );
  before.worker.shutdown();
  await eventually(
    () => before.worker.getState(),
    (state) => state === 'STOPPED',
  );
  const left = Array.from({ length: SIGNALS }, (_, index) => index);
  const sender = async (): Promise<void> => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      await handle.signal('guide', { id: `guide ${index}`, text: 'z'.repeat(500) });
    }
  };
  await Promise.all(Array.from({ length: 100 }, sender));

  const connection = await NativeConnection.connect({ address: testAddress() });
  const plugin = new ReflectionPlugin({ drainMs: 0, actions: [answers] });
  const worker = await Worker.create({ connection, taskQueue, workflowsPath: OWN_WORKFLOWS, plugins: [plugin] });
  const running = worker.run();
  try {
    await handle.signal('abort', { by: 'operator' });
    const { convergenceReason, history } = (await handle.result()) as ReflectionResult;
    expect(convergenceReason).toBe('aborted');
    expect(history.people.length).toBeGreaterThan(100);
    const { events = [] } = await handle.fetchHistory();
    // The SDK fails a task whose activation takes five seconds. The server asks for another where a result came while the run ended.
    const failed = events!.filter(
      ({ workflowTaskFailedEventAttributes: wrong, workflowTaskTimedOutEventAttributes: late }) =>
        (wrong && wrong.cause !== WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND) ||
        (late && Number(late.startedEventId) > 0),
    );
    expect(failed).toEqual([]);
  } finally {
    worker.shutdown();
    await running;
    await connection.close();
    await before.close();
  }
}, 180_000);
