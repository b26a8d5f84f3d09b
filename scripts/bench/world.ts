import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import { createActivities } from '../../src/activities/index';
import { registered } from '../../src/domain/activity-names';
import { defineAction } from '../../src/worker';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/server/index';
import { noOpModels } from './no-op-models';

/** A server on a file, two workers as in production, and a client. */
export interface BenchWorld {
  client: Client;
  taskQueue: string;
  close(): Promise<void>;
}

/** Starts the world of a benchmark. `tuned: false`: the dev server as it comes. */
export async function benchWorld(options: {
  tuned: boolean;
  outputBytes: number;
  searchAttributes?: boolean;
}): Promise<BenchWorld> {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    });
  } catch {
    // The second world of a process finds the runtime of the first.
  }
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const folder = mkdtempSync(join(tmpdir(), 'reflect-bench-'));
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db'), tuned: options.tuned });
  const connection = await NativeConnection.connect({ address: server.address });
  const taskQueue = 'bench';
  const text = 'x'.repeat(options.outputBytes);
  const writes = defineAction({
    name: 'writes',
    description: 'Gives an object of a size.',
    input: z.unknown(),
    needs: [],
    run: () => ({ text }),
  });
  const activities = registered(
    createActivities({
      models: noOpModels(options.outputBytes),
      actions: createActionRegistry([writes]),
      searchAttributes: () => Promise.resolve(options.searchAttributes ?? true),
    }),
  );
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('./workflows'),
    logger: new DefaultLogger('ERROR'),
  });
  const common = { connection, activities };
  const workers = [
    await Worker.create({ ...common, taskQueue, workflowBundle }),
    await Worker.create({ ...common, taskQueue: `${taskQueue}-models`, maxConcurrentActivityTaskExecutions: 1000 }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  const clientConnection = await Connection.connect({ address: server.address });
  return {
    client: new Client({ connection: clientConnection }),
    taskQueue,
    async close() {
      for (const worker of workers) worker.shutdown();
      await running;
      await connection.close();
      await clientConnection.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
