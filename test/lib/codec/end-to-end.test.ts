import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, type Connection, WorkflowFailedError, type WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure, DataConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';

import { dataConverterFrom } from '../../../src/lib/storage';
import '../../../testing/support/quiet';
import { testAddress, testConnection } from '../../../testing/support/temporal-server';
import * as activities from './failing-activities';
import type { failing } from './failing-workflow';

const CANARY = 'canary-7f3a';

let connection: Connection;
let native: NativeConnection;
let folder: string;

beforeAll(async () => {
  connection = await testConnection();
  native = await NativeConnection.connect({ address: testAddress() });
  folder = await mkdtemp(join(tmpdir(), 'reflect-codec-'));
});

afterAll(async () => {
  await native?.close();
  await connection?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the workflow to its failure; gives what the client sees, and the history's bytes as the server has them. */
async function run(
  dataConverter: DataConverter | undefined,
  secret: string,
): Promise<{ error: Error; refusal: Error; raw: Buffer }> {
  const taskQueue = `codec-${randomUUID()}`;
  const worker = await Worker.create({
    connection: native,
    workflowsPath: require.resolve('./failing-workflow'),
    activities,
    taskQueue,
    dataConverter,
  });
  const client = new Client({ connection, dataConverter });
  return worker.runUntil(async () => {
    const options = { taskQueue, workflowId: taskQueue, args: [secret] as [string] };
    const handle = await client.workflow.start<typeof failing>('failing', { ...options, memo: { secret } });
    const refusal = await handle
      .executeUpdate<void, [string]>('refused', { args: [secret] })
      .catch((error: Error) => error);
    const error = await handle.result().catch((caught: Error) => caught);
    const { history } = await connection.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: handle.workflowId },
    });
    const raw = Buffer.from(temporal.api.history.v1.History.encode(history!).finish());
    return { error: error as Error, refusal: refusal as Error, raw };
  });
}

function expectMessages(error: Error, refusal: Error, secret: string): void {
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const failure = (error as WorkflowFailedError).cause as ApplicationFailure;
  expect(failure.message).toBe(`failed with ${secret}`);
  expect(failure.details).toEqual([{ secret }]);
  const cause = failure.cause?.cause as ApplicationFailure;
  expect(cause).toMatchObject({ message: `call failed: ${secret}`, type: 'Model.Down' });
  expect(cause.cause?.message).toBe(`the vendor said ${secret}`);
  expect((refusal as WorkflowUpdateFailedError).cause?.message).toBe(`refused ${secret}`);
}

const KEYS = `k1:${randomBytes(32).toString('base64')}`;

test('without keys the secret can be read in the history: so the next test would see it', async () => {
  const { error, refusal, raw } = await run(undefined, CANARY);
  expectMessages(error, refusal, CANARY);
  expect(raw.includes(CANARY)).toBe(true);
});

test('with keys, no payload, failure message or stack trace of the history shows it', async () => {
  const { error, refusal, raw } = await run(dataConverterFrom({ REFLECT_CODEC_KEYS: KEYS }), CANARY);
  expectMessages(error, refusal, CANARY);
  expect(raw.includes(CANARY)).toBe(false);
  expect(raw.includes('Encoded failure')).toBe(true);
});

test('with keys and a storage, neither shows it, and large payloads come back', async () => {
  const environment = { REFLECT_STORAGE: `folder:${folder}`, REFLECT_CODEC_KEYS: KEYS };
  const secret = `${CANARY} `.repeat(10_000);
  const { error, refusal, raw } = await run(dataConverterFrom(environment), secret);
  expectMessages(error, refusal, secret);
  expect(raw.includes(CANARY)).toBe(false);
  expect(raw.length).toBeLessThan(20_000);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files)
    expect((await readFile(join(parentPath, name))).includes(CANARY)).toBe(false);
});
