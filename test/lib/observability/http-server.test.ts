import { networkInterfaces } from 'node:os';
import { startObservabilityServer, type ObservabilityServer } from '../../../src/lib/observability/http-server';
import '../../../testing/support/quiet';

let server: ObservabilityServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const start = (options: Partial<Parameters<typeof startObservabilityServer>[0]> = {}) =>
  startObservabilityServer({
    port: 0,
    readiness: async () => ({ ready: true }),
    metrics: async () => ({ contentType: 'text/plain', text: 'm 1\n' }),
    ...options,
  });

const status = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

test('answers, refuses what it does not know, and can only be reached from this machine', async () => {
  server = await start();
  const { url } = server;
  expect(await status(`${url}/healthz`)).toBe(200);
  expect(await status(`${url}/readyz?verbose`)).toBe(200);
  expect(await (await fetch(`${url}/metrics`)).text()).toBe('m 1\n');
  expect(await status(`${url}/`)).toBe(404);
  expect(await status(`${url}/healthz`, { method: 'POST' })).toBe(405);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (outside) {
    await expect(fetch(url.replace('127.0.0.1', outside.address))).rejects.toThrow('fetch failed');
    await server.close();
    server = await start({ host: '0.0.0.0' });
    expect(await status(`${server.url.replace('0.0.0.0', outside.address)}/healthz`)).toBe(200);
  }
});

test('a probe that throws is answered with 500, and the server lives on', async () => {
  server = await start({ metrics: () => Promise.reject(new Error('with a secret')) });
  const response = await fetch(`${server.url}/metrics`);
  expect([response.status, await response.text()]).toEqual([500, 'error\n']);
  expect(await status(`${server.url}/healthz`)).toBe(200);
});

test('an event loop that stood still longer than a heartbeat timeout is not healthy', async () => {
  server = await start();
  await new Promise((resolve) => setTimeout(resolve, 300));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500);
  const response = await fetch(`${server.url}/healthz`);
  expect([response.status, await response.text()]).toEqual([503, expect.stringMatching(/stood still for 5\.\d s/)]);
});

test('a port that is taken is an error', async () => {
  server = await start();
  await expect(start({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE');
});
