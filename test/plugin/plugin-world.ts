import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { ReflectionPlugin, type ReflectionPluginOptions } from '../../src/worker';
import '../../testing/support/quiet';
import { testAddress } from '../../testing/support/temporal-server';
import * as activities from './own-activities';

export const OWN_WORKFLOWS = require.resolve('./all-workflows');

/** Somebody's worker with the plugin, and a client with the same plugin. */
export interface PluginWorld {
  temporal: Client;
  client: ReflectionClient;
  taskQueue: string;
  worker: Worker;
  /** Runs one of the worker's own workflows to its end. */
  execute<Flow extends (...args: never[]) => Promise<unknown>>(
    name: string,
    ...args: Parameters<Flow>
  ): Promise<Awaited<ReturnType<Flow>>>;
  close(): Promise<void>;
}

export async function startPluginWorld(
  options: ReflectionPluginOptions,
  more: Partial<WorkerOptions> = { workflowsPath: OWN_WORKFLOWS },
): Promise<PluginWorld> {
  const plugin = new ReflectionPlugin({ drainMs: 0, ...options });
  const taskQueue = `plugin-${randomUUID()}`;
  const native = await NativeConnection.connect({ address: testAddress() });
  const worker = await Worker.create({ connection: native, taskQueue, activities, plugins: [plugin], ...more });
  const running = worker.run();
  const connection = await Connection.connect({ address: testAddress() });
  const temporal = new Client({ connection, plugins: [plugin] });
  return {
    temporal,
    client: new ReflectionClient(temporal, taskQueue),
    taskQueue,
    worker,
    execute: (name, ...args) =>
      temporal.workflow.execute(name, { taskQueue, workflowId: `${name}-${randomUUID()}`, args: [...args] }),
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await native.close();
      await connection.close();
      await plugin.close();
    },
  };
}
