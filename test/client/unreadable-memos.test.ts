import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { ReflectionClient } from '../../src/client';
import { describeRun } from '../../src/apps/cli/show/describe-run';
import { dataConverterFrom } from '../../src/lib/storage';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testAddress } from '../../testing/support/temporal-server';

const draft = defineAction({ name: 'draft', description: 'Drafts.', input: z.unknown(), run: () => 'x'.repeat(900) });
const spec = { generator: { action: 'draft' }, evaluator: { type: 'regex' as const, pattern: 'y' } };
/** A run that fails keeps its page in the memo. */
const failing = { ...spec, maxIterations: 1, onFailure: 'raise' as const };
const KEYS = `a:${Buffer.alloc(32, 7).toString('base64')}`;

/** What makes a memo unreadable for those who lack it. */
const SETTINGS: Record<string, (folder: string) => NodeJS.ProcessEnv> = {
  'in a storage': (folder) => ({ REFLECT_STORAGE: `folder:${folder}`, REFLECT_STORAGE_THRESHOLD: '50' }),
  encrypted: () => ({ REFLECT_CODEC_KEYS: KEYS }),
};

describe.each(Object.entries(SETTINGS))('runs whose memo is %s', (_name, settings) => {
  let world: LoopWorld;
  let connection: Connection;
  let folder: string;
  let workflowId: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'reflect-memos-'));
    world = await startWorld({ actions: [draft], dataConverter: dataConverterFrom(settings(folder))! });
    ({ workflowId } = await world.client.start(failing));
    await expect(world.client.result(workflowId)).rejects.toThrow('No version was good enough');
    connection = await Connection.connect({ address: testAddress() });
  });
  afterAll(async () => {
    await connection?.close();
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['a client that has it', 'a client without it'])('are listed by %s', async (which) => {
    const without = new ReflectionClient(new Client({ connection }), world.client.taskQueue);
    const client = which === 'a client that has it' ? world.client : without;
    const found: string[] = [];
    // Lists show a run some time after its end.
    for (let tries = 0; tries < 100 && found.length === 0; tries += 1) {
      for await (const run of client.list({ query: `WorkflowId = '${workflowId}'` })) found.push(run.workflowId);
      if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(found).toEqual([workflowId]);
  });

  test('are found by their id, and named where the id is used again', async () => {
    const without = new ReflectionClient(new Client({ connection }), world.client.taskQueue);
    expect(await describeRun(without, workflowId)).toMatchObject({ workflowId, status: 'FAILED', running: false });
    expect((await describeRun(world.client, workflowId)).kept?.join('\n')).toContain('No version was good enough');
    const again = without.start(spec, { workflowId, workflowIdReusePolicy: 'REJECT_DUPLICATE' });
    await expect(again).rejects.toMatchObject({ type: 'AlreadyEnded' });
  });
});
