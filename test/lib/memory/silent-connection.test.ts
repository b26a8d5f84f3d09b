import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../testing/torture/tcp-proxy';
import { openMemory } from '../../../src/lib/memory';
import { startPostgres, type TestPostgres } from '../../../testing/support/postgres';
import { anInsight } from './conformance';

let postgres: TestPostgres;
let proxy: TcpProxy;
let connectionString: string;

beforeAll(async () => {
  postgres = await startPostgres();
  proxy = await TcpProxy.start(Number(new URL(postgres.connectionString).port));
  connectionString = postgres.connectionString.replace(/:\d+\//, `:${proxy.port}/`);
});
afterAll(async () => {
  await proxy?.close();
  await postgres?.stop();
});

test('a connection that is silent is given up in time, with a reason, and the next question goes to another', async () => {
  const memory = openMemory({ connectionString, queryTimeoutMs: 500 });
  const ask = () => memory.list({ tenant: 't', agent: 'ada', limit: 5 });
  await memory.store('t', [anInsight('once')]);
  proxy.silence();
  await expect(ask()).rejects.toThrow('PostgreSQL did not answer a statement in time');
  expect((await ask()).map(({ text }) => text)).toEqual(['once']);
  await memory.close();
});

test('a memory closes at once, also while a connection is silent', async () => {
  const memory = openMemory({ connectionString });
  const ask = () => memory.list({ tenant: 't', agent: 'ada', limit: 5 });
  await ask();
  proxy.silence();
  const asked = ask().catch(String);
  await sleep(200);
  await memory.close();
  // Not that the statement was given up when its time was over.
  expect(await asked).toContain('Connection terminated');
});
