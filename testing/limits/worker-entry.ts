import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createWorker, ReflectionPlugin, type WorkOptions } from '../../src/worker';
import { ACTIONS, COMMANDS, modelConfigs } from './work';
import { CALLED_QUEUE } from './vocabulary';
import { ownQueue, type WorkerOrder } from './worker-order';

// Failing workflows and activities are what this is about.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  shutdownSignals: [],
});

/** A worker as a process of its own, so that its end is seen. Says `ready` once it polls. */
async function main(order: WorkerOrder): Promise<void> {
  const { address, taskQueue, modelUrl } = order;
  const connection = await NativeConnection.connect({ address });
  const options: WorkOptions = {
    models: modelConfigs(modelUrl),
    actions: ACTIONS,
    commands: COMMANDS,
    externalCalls: { allowPrivateAddresses: true },
  };
  const worker = await createWorker({ ...options, connection, taskQueue, drainMs: 0 });
  const own = await Worker.create({
    connection,
    taskQueue: ownQueue(taskQueue),
    workflowsPath: require.resolve('./own-workflows'),
    activities: { echoes: async (text: string) => text.slice(0, 10) },
    plugins: [new ReflectionPlugin({ ...options, memory: false, drainMs: 0 })],
  });
  const called = await Worker.create({
    connection,
    taskQueue: CALLED_QUEUE,
    workflowsPath: require.resolve('./called-workflows'),
  });
  process.once('SIGTERM', () => {
    worker.shutdown();
    own.shutdown();
    called.shutdown();
  });
  process.stdout.write('ready\n');
  await Promise.all([worker.run(), own.run(), called.run()]);
}

void main(JSON.parse(process.argv[2]!) as WorkerOrder);
