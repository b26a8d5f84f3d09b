import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { externalStorage } from '../../src/lib/storage/data-converter';
import { localFolderStorage } from '../../src/lib/storage/local-folder';
import { createWorker } from '../../src/worker';
import { runTogether, runThenClose } from '../../src/worker/running/run-together';
import { testAddress } from '../../testing/support/temporal-server';
import { eventually } from '../../testing/support/eventually';
import '../../testing/support/quiet';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { StorageWithFaults } from '../../testing/support/storage-with-faults';
import { textOf } from '../lib/storage/payloads';

test('of two workers that cannot both be made, neither is left', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const made = createWorker({ connection, taskQueue: `closing-${randomUUID()}`, maxConcurrentModelCalls: 0 });
  await expect(made).rejects.toThrow(/must be at least 1/);
  // Would be refused while a worker holds on to it.
  await expect(connection.close()).resolves.toBeUndefined();
}, 60_000);

test('of two workers of which one fails the other ends first, then the connection closes, and the cause is told', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const activities = { nothing: async () => undefined };
  const workers = await Promise.all(
    ['a', 'b'].map((name) => Worker.create({ connection, activities, taskQueue: `closing-${name}-${randomUUID()}` })),
  );
  const [failing, other] = workers as [Worker, Worker];
  const run = async (): Promise<void> => {
    await failing.runUntil(sleep(500));
    throw new Error('the first cause');
  };
  const running = () =>
    runTogether([
      { worker: failing, run },
      { worker: other, run: () => other.run() },
    ]);
  const closed: string[] = [];
  const ended = runThenClose(running, {
    'the connection': async () => {
      await connection.close();
      closed.push('connection');
    },
    'what cannot be closed': () => Promise.reject(new Error('a later one')),
    'what hangs': () => new Promise(() => undefined),
  });
  await expect(ended).rejects.toThrow('the first cause');
  expect(other.getState()).toBe('STOPPED');
  expect(closed).toEqual(['connection']);
}, 60_000);

test('a worker ends in time after it was told to, while its storage is silent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-closing-'));
  const storage = new StorageWithFaults(localFolderStorage({ folder }));
  const dataConverter = { externalStorage: externalStorage({ driver: storage }) };
  // What the call brought is stored, and then nothing more.
  storage.fault = () => (storage.writes === 1 ? {} : { hangs: true });
  const drainMs = 500;
  const model = await ScriptedOpenAI.start({ script: [{ reply: { text: textOf(200_000), done: true } }] });
  const taskQueue = `closing-${randomUUID()}`;
  const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
  const worker = await createWorker({ address: testAddress(), taskQueue, models, dataConverter, drainMs });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue, dataConverter });
  const running = worker.run().catch(String);
  const { workflowId } = await client.start({
    generator: { action: 'llm.call', prompt: 'Write.' },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  });
  await eventually(
    () => storage.writes,
    (writes) => writes > 1,
  );
  const started = performance.now();
  worker.shutdown();
  expect(await running).toMatch(/could not end its work in time/);
  expect(performance.now() - started).toBeLessThan(drainMs + 15_000);
  await client.temporal.workflow.getHandle(workflowId).terminate();
  await client.close();
  await model.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);
