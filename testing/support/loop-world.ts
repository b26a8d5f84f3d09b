import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { createWorker, type ReflectionWorker, type ReflectionWorkerOptions } from '../../src/worker';
import './quiet';
import { testAddress } from './temporal-server';

/** A worker and a client on a queue of their own. */
export interface LoopWorld {
  client: ReflectionClient;
  worker: ReflectionWorker;
  address: string;
  close(): Promise<void>;
}

/** Starts a worker on the shared server, or on another one, with a queue that nobody else uses. */
export async function startWorld(options: ReflectionWorkerOptions = {}): Promise<LoopWorld> {
  const address = options.address ?? testAddress();
  const taskQueue = options.taskQueue ?? `test-${randomUUID()}`;
  const native = await NativeConnection.connect({ address });
  const worker = await createWorker({ drainMs: 0, ...options, connection: native, taskQueue });
  const running = worker.run();
  const connection = await Connection.connect({ address });
  const dataConverter = options.dataConverter ? { dataConverter: options.dataConverter } : {};
  return {
    client: new ReflectionClient(new Client({ connection, ...dataConverter }), taskQueue),
    worker,
    address,
    async close() {
      worker.shutdown();
      await running;
      await native.close();
      await connection.close();
    },
  };
}
