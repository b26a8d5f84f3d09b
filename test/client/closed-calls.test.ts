import { setTimeout as sleep } from 'node:timers/promises';
import { ReflectionClient } from '../../src/client';
import { CallAbortedError } from '../../src/loop/errors/call-errors';
import { testAddress } from '../../testing/support/temporal-server';
import { TcpProxy } from '../../testing/torture/tcp-proxy';

test('calls that are tried again when their client is closed end, and the process does not', async () => {
  const proxy = await TcpProxy.start(Number(testAddress().split(':')[1]));
  const client = await ReflectionClient.connect({ address: `127.0.0.1:${proxy.port}` });
  await proxy.close();
  const calls = ['one', 'two', 'three'].map((workflowId) => client.progress(workflowId));
  const ends = Promise.allSettled(calls);
  // The first attempts have failed by now, and the next ones wait.
  await sleep(300);
  await client.close();
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(CallAbortedError) });
}, 30_000);
