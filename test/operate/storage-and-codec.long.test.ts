import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { z } from 'zod';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { dataConverterFrom } from '../../src/lib/storage';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import '../../testing/support/quiet';
import { reflect } from '../apps/cli/reflect-command';
import { eventually } from '../../testing/support/eventually';
import { testAddress, testConnection } from '../../testing/support/temporal-server';

const KEYS = `k1:${randomBytes(32).toString('base64')}`;

/** An output of so many bytes; the second version passes. */
const large = defineAction({
  name: 'large',
  description: 'Makes a large output.',
  input: z.object({ bytes: z.number() }),
  run: async ({ bytes }, context) => ({
    text: 'x'.repeat(bytes),
    ...(context.iteration > 1 ? { done: true } : {}),
  }),
});

function specOf(bytes: number): ReflectionSpec {
  return {
    generator: { action: 'large', with: { bytes } },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-operate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs with a worker and a client that get their settings from the environment, as services do. */
async function withSettings<T>(
  settings: Record<string, string>,
  use: (client: ReflectionClient, worker: ReflectionWorker) => Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, settings);
  const options = { address: testAddress(), taskQueue: `operate-${randomUUID()}` };
  const worker = await createWorker({ ...options, actions: [large] });
  const client = await ReflectionClient.connect(options);
  process.env = before;
  const running = worker.run();
  try {
    return await use(client, worker);
  } finally {
    worker.shutdown();
    await running;
    await client.close();
  }
}

test('outputs that fit no history work with a storage: versions, result and queries', async () => {
  await withSettings({ REFLECT_STORAGE: `folder:${folder}` }, async (client) => {
    const { workflowId } = await client.start(specOf(5_000_000));
    const result = await client.result(workflowId);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    expect((result.finalOutput as { text: string }).text).toHaveLength(5_000_000);
    const { historyLength, raw } = await client.temporal.workflow.getHandle(workflowId).describe();
    expect(historyLength).toBeLessThan(60);
    expect(Number(raw.workflowExecutionInfo?.historySizeBytes)).toBeLessThan(100_000);
    expect(await client.history(workflowId)).toHaveLength(2);
    const stranger = await ReflectionClient.connect({ address: testAddress() });
    await expect(stranger.result(workflowId)).rejects.toMatchObject({
      type: 'StoredDataMissing',
      message: /Set REFLECT_STORAGE/,
    });
    await stranger.close();
  });
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(0);
}, 60_000);

test.each([
  ['without a storage', false, 3_000_000, /at most 1900000 .*REFLECT_STORAGE/],
  ['with one', true, 17_000_000, /at most 16777216 /],
])(
  '%s a larger output is OutputTooLarge at once',
  async (_case, stored, bytes, message) => {
    const environment: Record<string, string> = stored ? { REFLECT_STORAGE: `folder:${folder}` } : {};
    await withSettings(environment, async (client) => {
      await expect(client.run(specOf(bytes))).rejects.toMatchObject({ type: 'OutputTooLarge', message });
    });
  },
  60_000,
);

test('with keys, worker and client understand each other, and others do not', async () => {
  await withSettings({ REFLECT_CODEC_KEYS: KEYS }, async (client) => {
    const { workflowId } = await client.start(specOf(10));
    expect(await client.result(workflowId)).toMatchObject({ success: true, finalOutput: { done: true } });
    const stranger = await ReflectionClient.connect({ address: testAddress() });
    await expect(stranger.result(workflowId)).rejects.toMatchObject({
      type: 'UnknownEncryptionKey',
      message: /binary\/encrypted.* Set REFLECT_CODEC_KEYS/,
    });
    await expect(stranger.history(workflowId)).rejects.toMatchObject({ type: 'UnknownEncryptionKey' });
    await stranger.close();
    const friend = await ReflectionClient.connect({
      address: testAddress(),
      dataConverter: dataConverterFrom({ REFLECT_CODEC_KEYS: KEYS })!,
    });
    expect(await friend.result(workflowId)).toMatchObject({ success: true });
    await friend.close();
  });
});

test('runs are listed without the keys of what their starters noted', async () => {
  const keys = dataConverterFrom({ REFLECT_CODEC_KEYS: KEYS });
  const place = { taskQueue: `nobody-${randomUUID()}`, workflowId: `noted-${randomUUID()}` };
  const connection = await testConnection();
  const starter = new Client({ connection, ...(keys ? { dataConverter: keys } : {}) });
  const handle = await starter.workflow.start('reflectionLoop', { ...place, args: [specOf(1)], memo: { by: 'me' } });
  const stranger = await ReflectionClient.connect({ address: testAddress() });
  const listed = async () => {
    const ids: string[] = [];
    for await (const entry of stranger.list({ query: `WorkflowId = '${place.workflowId}'` }))
      ids.push(entry.workflowId);
    return ids;
  };
  try {
    await expect(eventually(listed, (ids) => ids.length > 0)).resolves.toEqual([place.workflowId]);
  } finally {
    await handle.terminate();
    await stranger.close();
    await connection.close();
  }
});

describe('reflect sweep', () => {
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

  test('deletes what is old, and nothing that is not', async () => {
    const env = { REFLECT_STORAGE: `folder:${folder}` };
    await withSettings(env, (client) => client.run(specOf(200_000)));
    const before = (await files()).length;
    expect(before).toBeGreaterThan(0);
    expect(await reflect(['sweep', '--older-than', '30d'], { env })).toMatchObject({ code: 0 });
    expect(await files()).toHaveLength(before);
    const refused = await reflect(['sweep', '--older-than', '0ms'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('SweepTooYoung') as string });
    expect(await files()).toHaveLength(before);
    const swept = await reflect(['sweep', '--older-than', '0ms', '--force'], { env });
    expect(swept).toMatchObject({ code: 0, stdout: expect.stringMatching(/Deleted \d+ object/) as string });
    expect(await files()).toHaveLength(0);
  });

  test.each([
    [['--older-than', 'soon'], 'InvalidDuration'],
    [['--older-than', '30d'], 'NoStorage'],
  ])('refuses %j without a storage, as %s', async (args, type) => {
    const { code, stderr } = await reflect(['sweep', ...args], { env: { REFLECT_STORAGE: '' } });
    expect(code).toBe(1);
    expect(stderr).toContain(`${type}:`);
  });
});
