/**
 * A worker of a benchmark as a process of its own, so that its processor time is nobody else's. Serves the bundle that users
 * get, or the loop written by hand, with the same activities.
 */
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import { createActivities } from '../../src/activities';
import { addActivityPrefix } from '../../src/lib/names/activity-names';
import { defineAction } from '../../src/worker';
import { noOpModels } from './no-op-models';

/** What the parent says in `BENCH_WORKER`. */
export interface BenchWorkerSettings {
  address: string;
  taskQueue: string;
  workflows: 'ours' | 'handWritten';
  outputBytes: number;
}

const BUILT_BUNDLE = join(__dirname, '..', '..', 'dist', 'workflow-bundle.js');

async function main(): Promise<void> {
  const settings = JSON.parse(process.env['BENCH_WORKER']!) as BenchWorkerSettings;
  const { address, taskQueue, workflows, outputBytes } = settings;
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  const text = 'x'.repeat(outputBytes);
  const described = { description: 'Gives an object of a size.', input: z.unknown(), needs: [], run: () => ({ text }) };
  const actions = [
    defineAction({ ...described, name: 'writes' }),
    defineAction({ ...described, name: 'writesLocally', local: true }),
  ];
  const activities = addActivityPrefix(
    createActivities({
      models: noOpModels(outputBytes),
      actions: createActionRegistry(actions),
      searchAttributes: () => Promise.resolve(true),
    }),
  );
  const workflowBundle =
    workflows === 'ours'
      ? { codePath: BUILT_BUNDLE }
      : await bundleWorkflowCode({ workflowsPath: require.resolve('./workflows'), logger });
  const connection = await NativeConnection.connect({ address });
  const common = { connection, activities };
  const workers = [
    await Worker.create({ ...common, taskQueue, workflowBundle }),
    await Worker.create({ ...common, taskQueue: `${taskQueue}-models`, maxConcurrentActivityTaskExecutions: 1000 }),
  ];
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!((user + system) / 1_000);
  });
  process.once('disconnect', () => process.exit(0));
  process.send!('ready');
  await Promise.all(workers.map((worker) => worker.run()));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
