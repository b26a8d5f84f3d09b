import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { ReflectionClient } from '../../src/client';

test('nobody waits for ever for an answer, without a timeout either; for a result, as long as it takes', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = Connection.lazy({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  const client = new ReflectionClient(new Client({ connection }), 'nobody');
  const waiting = new AbortController();
  const result = client.result('it', { signal: waiting.signal }).catch((thrown: unknown) => thrown);
  const started = performance.now();
  const spec = { generator: { action: 'a' }, evaluator: { type: 'regex', pattern: 'a' } } as const;
  const asked = [
    client.accept('it'),
    client.progress('it'),
    client.start(spec),
    client.list()[Symbol.asyncIterator]().next(),
  ];
  for (const answer of await Promise.allSettled(asked)) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { type: 'NoAnswer', timeoutMs: 30_000 } });
  }
  expect(performance.now() - started).toBeGreaterThan(29_900);
  expect(performance.now() - started).toBeLessThan(40_000);
  const over = await Promise.race([result, new Promise((resolve) => setTimeout(resolve, 1_000, 'waits'))]);
  expect(over).toBe('waits');
  waiting.abort();
  expect(await result).toMatchObject({ type: 'CallAborted' });
  for (const socket of sockets) socket.destroy();
  server.close();
  await connection.close();
}, 60_000);
