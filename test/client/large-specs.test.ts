import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import { ReflectionClient } from '../../src/client';
import { dataConverterFrom } from '../../src/lib/storage';
import { InvalidSpecError } from '../../src/loop/errors/errors';
import { testConnection } from '../../testing/support/temporal-server';

let connection: Connection;
let folder: string;
beforeAll(async () => {
  [connection, folder] = await Promise.all([testConnection(), mkdtemp(join(tmpdir(), 'large-specs-'))]);
});
afterAll(async () => {
  await connection.close();
  await rm(folder, { recursive: true, force: true });
});

const loop = {
  generator: { action: 'write' },
  evaluator: { type: 'regex' as const, pattern: 'a' },
  state: { text: 'x'.repeat(5_000_000) },
};

test('a spec of 5 MB is started where large payloads are stored, and refused elsewhere', async () => {
  const dataConverter = dataConverterFrom({ REFLECT_STORAGE: `folder:${folder}` });
  const storing = new ReflectionClient(new Client({ connection, ...(dataConverter && { dataConverter }) }), 'nobody');
  const { workflowId } = await storing.start(loop, { workflowId: randomUUID() });
  await storing.temporal.workflow.getHandle(workflowId).terminate();
  const plain = new ReflectionClient(new Client({ connection }), 'nobody');
  await expect(plain.start(loop)).rejects.toThrow(InvalidSpecError);
});
