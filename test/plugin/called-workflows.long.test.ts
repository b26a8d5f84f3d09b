import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { testAddress } from '../../testing/support/temporal-server';

test('kill -9 of the worker while a child runs: the child goes on, and is not started again', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const agents = `agents-${randomUUID()}`;
  const others = await Worker.create({
    connection,
    taskQueue: agents,
    workflowsPath: require.resolve('./called-workflow-types'),
  });
  await others.runUntil(async () => {
    const taskQueue = `killed-${randomUUID()}`;
    const env = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: taskQueue };
    const startWorker = () => startScript('testing/support/worker-process.ts', { readyWhen: /ready/, env });
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
    const first = await startWorker();
    const { workflowId } = await client.start({
      generator: { workflow: 'slow', taskQueue: agents },
      evaluator: { type: 'schema', schema: { const: 'never' } },
      maxIterations: 2,
    });
    const children = async (): Promise<string[]> => {
      const { events } = await client.temporal.workflow.getHandle(workflowId).fetchHistory();
      return (events ?? []).flatMap(
        ({ childWorkflowExecutionStartedEventAttributes: started }) => started?.workflowExecution?.runId ?? [],
      );
    };
    await eventually(
      async () => (await children()).length,
      (count) => count === 1,
      60_000,
    );
    await killHard(first);
    const second = await startWorker();
    const { history } = await client.result(workflowId);
    const outputs = history.versions.map(({ output }) => output);
    expect(outputs).toEqual(await children());
    expect(outputs).toHaveLength(2);
    await killHard(second);
    await client.close();
  });
  await connection.close();
}, 240_000);
