import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { ApplicationFailure } from '@temporalio/common';
import { toApplicationFailure } from '../../../src/activities/failures';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { createModels } from '../../../src/lib/models';

let model: ScriptedOpenAI;
let proxy: Server;
let host: string;
let connected: string[];
let authorization: string | undefined;
const sockets = new Set<Socket>();
beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: [{ reply: 'yes', times: 'always' }] });
  proxy = createServer((_request, response) => response.writeHead(405).end()).listen(0, '127.0.0.1');
  proxy.on('connect', (request, socket: Socket, head: Buffer) => {
    connected.push(request.url!);
    authorization = request.headers['proxy-authorization'];
    const [name, port] = request.url!.split(':');
    const target = connect(Number(port), name, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const one of [socket, target]) sockets.add(one.on('error', () => undefined));
  });
  await once(proxy, 'listening');
  host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => {
  connected = [];
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.closeAllConnections();
  proxy.close();
  await model.close();
});

/** Calls the model with some variables, and returns where the proxy was asked to connect to. */
async function connectedWith(env: Record<string, string>): Promise<string[]> {
  const models = createModels([], { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', ...env });
  const messages = [{ role: 'user' as const, content: 'Is it?' }];
  const { text } = await models.call({ messages, timeoutMs: 10_000, signal: new AbortController().signal });
  expect(text).toBe('yes');
  return connected;
}

const ON = { REFLECT_USE_ENV_PROXY: '1' };

test('a model is called through the proxy of the environment, where that is switched on', async () => {
  const { host: endpoint } = new URL(model.baseUrl);
  expect(await connectedWith({ HTTP_PROXY: `http://${host}` })).toEqual([]);
  expect(await connectedWith({ ...ON, HTTPS_PROXY: `http://${host}` })).toEqual([]);
  expect(await connectedWith(ON)).toEqual([]);
  expect(await connectedWith({ ...ON, HTTP_PROXY: `http://robin:secret@${host}` })).toEqual([endpoint]);
  expect(authorization).toBe(`Basic ${Buffer.from('robin:secret').toString('base64')}`);
  expect(await connectedWith({ ...ON, http_proxy: `http://${host}`, HTTP_PROXY: 'http://127.0.0.1:1' })).toHaveLength(
    2,
  );
});

test.each([
  ['*', true],
  ['127.0.0.1', true],
  ['example.com, 127.0.0.1', true],
  ['0.0.1', true],
  ['.0.0.1', true],
  ['127.0.0.1:PORT', true],
  ['127.0.0.1:9', false],
  ['[::1]:80 ::1', false],
  ['7.0.0.1', false],
  ['', false],
])('NO_PROXY=%s calls the endpoint directly: %s', async (list, isDirect) => {
  const noProxy = list.replace('PORT', new URL(model.baseUrl).port);
  const asked = await connectedWith({ ...ON, HTTP_PROXY: `http://${host}`, NO_PROXY: noProxy });
  expect(asked.length === 0).toBe(isDirect);
});

test('a proxy that refuses, or does not answer, is named as the reason, without its password', async () => {
  const refusing = createServer().listen(0, '127.0.0.1');
  refusing.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo;
  const failureWith = async (proxyPort: number) => {
    const address = `http://robin:swordfish-42@127.0.0.1:${proxyPort}`;
    const error: unknown = await connectedWith({ ...ON, HTTP_PROXY: address }).catch((thrown: unknown) => thrown);
    return toApplicationFailure(error, { attempt: 1 }) as ApplicationFailure;
  };
  const refused = await failureWith(port);
  expect(refused).toMatchObject({ type: 'Model.Unavailable', message: expect.stringContaining('407') as string });
  refusing.close();
  const away = await failureWith(port);
  expect(away.message).toContain('ECONNREFUSED');
  for (const { message, stack } of [refused, away]) expect(`${message}${stack}`).not.toContain('swordfish');
});

test('an address that is none is refused without being shown', () => {
  for (const address of ['proxy:secret', 'socks5://secret:1']) {
    const make = () => createModels([], { ...ON, HTTPS_PROXY: address, OPENAI_API_KEY: 'key' });
    expect(make).toThrow('HTTPS_PROXY must be the address of a proxy');
    expect(make).not.toThrow('secret');
  }
});
