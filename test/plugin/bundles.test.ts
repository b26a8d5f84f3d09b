import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { EncryptionCodec, failureConverterPath } from '../../src/lib/codec/encryption-codec';
import { ReflectionPlugin } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';
import { answers, bad, good, looped } from './loops';
import { OWN_WORKFLOWS, startPluginWorld } from './plugin-world';

describe('a bundle that was built with the plugin', () => {
  const codec = new EncryptionCodec([{ id: 'one', key: randomBytes(32) }]);
  const dataConverter = { payloadCodecs: [codec], failureConverterPath };
  const plugin = new ReflectionPlugin({ dataConverter });
  const interceptors = { workflowModules: [require.resolve('./own-interceptors')] };
  let workflowBundle: { code: string };

  beforeAll(async () => {
    workflowBundle = await bundleWorkflowCode({
      workflowsPath: OWN_WORKFLOWS,
      workflowInterceptorModules: interceptors.workflowModules,
      plugins: [plugin],
      logger: new DefaultLogger('ERROR'),
    });
  }, 60_000);

  test('is refused by a worker that was given interceptors which are not in it', async () => {
    const given = { taskQueue: 'own', workflowBundle };
    expect(() => plugin.configureWorker({ ...given, interceptors })).not.toThrow();
    const workflowModules = [...interceptors.workflowModules, '/app/lib/metrics.js'];
    expect(() => plugin.configureWorker({ ...given, interceptors: { workflowModules } })).toThrow(
      expect.objectContaining({ type: 'WorkflowBundle', missing: ['/app/lib/metrics.js'] }) as Error,
    );
  });

  test('has both workflows, and the converter that the plugin was given', async () => {
    const world = await startPluginWorld({ dataConverter, actions: [answers] }, { workflowBundle, interceptors });
    try {
      const place = { taskQueue: world.taskQueue, workflowId: `bundled-${randomUUID()}` };
      await expect(world.client.run(looped([good]))).resolves.toMatchObject({ success: true });
      const spec = looped([bad], { onFailure: 'raise', maxIterations: 1 });
      const failing = await world.temporal.workflow.execute('caught', { ...place, args: [spec] });
      expect(failing).toMatch(/^ReflectionFailedError/);
      // Encrypted: a client without the plugin cannot read it.
      const { connection } = world.temporal;
      const blind = new Client({ connection }).workflow.getHandle(place.workflowId);
      await expect(blind.result()).rejects.toThrow(/binary\/encrypted/);
      const history = await world.temporal.workflow.getHandle(place.workflowId).fetchHistory();
      const replayed = Worker.runReplayHistory({ workflowBundle, plugins: [plugin] }, history, place.workflowId);
      await expect(replayed).resolves.toBeUndefined();
    } finally {
      await world.close();
    }
  });

  test.each([
    ['both', 1],
    ['loops', 0],
  ] as const)('the plugin on worker and connection; serve: %s', async (serve, expected) => {
    const both = new ReflectionPlugin({ dataConverter, actions: [answers], drainMs: 0, serve });
    const connection = await NativeConnection.connect({ address: testAddress(), plugins: [both] });
    const caller = await Connection.connect({ address: testAddress() });
    const taskQueue = `plugin-${randomUUID()}`;
    const client = new ReflectionClient(new Client({ connection: caller, plugins: [both] }), taskQueue);
    const pollers = async () => {
      const queue = { namespace: 'default', taskQueue: { name: `${taskQueue}-models` }, taskQueueType: 2 };
      return (await caller.workflowService.describeTaskQueue(queue)).pollers.length;
    };
    try {
      const worker = await Worker.create({ connection, taskQueue, workflowBundle, plugins: [both] });
      await worker.runUntil(async () => {
        await expect(client.run(looped([good]))).resolves.toMatchObject({ success: true });
        await expect(eventually(pollers, (count) => count >= expected)).resolves.toBe(expected);
      });
      expect(worker.getState()).toBe('STOPPED');
    } finally {
      await connection.close();
      await caller.close();
    }
  });
});
