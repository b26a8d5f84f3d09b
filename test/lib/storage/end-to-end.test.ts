import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, type Connection, type WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { bundleWorkflowCode, NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';

import { dataConverterFrom } from '../../../src/lib/storage';
import '../../../testing/support/quiet';
import { testAddress, testConnection } from '../../../testing/support/temporal-server';
import * as activities from './large-activities';
import type { largeOutputs } from './large-workflow';
import { textOf } from './payloads';

const LENGTH = 1_500_000;

let connection: Connection;
let native: NativeConnection;
let bundle: WorkflowBundle;
let folder: string;

beforeAll(async () => {
  [connection, native, bundle, folder] = await Promise.all([
    testConnection(),
    NativeConnection.connect({ address: testAddress() }),
    bundleWorkflowCode({ workflowsPath: require.resolve('./large-workflow') }),
    mkdtemp(join(tmpdir(), 'reflect-storage-')),
  ]);
});

afterAll(async () => {
  await native?.close();
  await connection?.close();
  await rm(folder, { recursive: true, force: true });
});

type Handle = WorkflowHandle<typeof largeOutputs>;

async function withWorker(
  dataConverter: DataConverter | undefined,
  rounds: number,
  test: (handle: Handle) => Promise<void>,
) {
  const taskQueue = `storage-${randomUUID()}`;
  const worker = await Worker.create({
    connection: native,
    workflowBundle: bundle,
    activities,
    taskQueue,
    dataConverter,
  });
  const client = new Client({ connection, dataConverter });
  await worker.runUntil(async () => {
    const handle = await client.workflow.start<typeof largeOutputs>('largeOutputs', {
      taskQueue,
      workflowId: taskQueue,
      args: [LENGTH, rounds],
      workflowExecutionTimeout: '15s',
    });
    await test(handle);
  });
}

test('outputs of 1.5 MB work with a folder, take less than twice their size, and do not stand in the history', async () => {
  const dataConverter = dataConverterFrom({ REFLECT_STORAGE: `folder:${folder}` });
  await withWorker(dataConverter, 3, async (handle) => {
    const { output, measured } = await handle.result();
    expect(output).toBe(textOf(LENGTH, 3));
    expect(measured).toEqual(Array(9).fill(LENGTH));

    const { history } = await connection.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: handle.workflowId },
    });
    const historyBytes = temporal.api.history.v1.History.encode(history!).finish().length;
    let storedBytes = 0;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) storedBytes += (await readFile(join(entry.parentPath, entry.name))).length;
    }
    console.info(
      `3 outputs of 1.5 MB, each in a result, three inputs and a result: ${historyBytes} bytes of history, ${storedBytes} stored`,
    );
    expect(historyBytes).toBeLessThan(20_000);
    expect(storedBytes).toBeLessThan(2 * 3 * LENGTH);
  });
});

test('the same run does not come to its end without', async () => {
  await withWorker(undefined, 1, async (handle) => {
    const outcome = await Promise.race([
      handle.result().then(
        () => 'completed',
        () => 'failed',
      ),
      new Promise((resolve) => setTimeout(resolve, 5_000, 'stuck')),
    ]);
    if (outcome === 'stuck') await handle.terminate();
    expect(outcome).not.toBe('completed');
  });
});
