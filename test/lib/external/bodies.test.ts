import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExternalCallFailed, ExternalUnavailable, post, postJson } from '../../../src/lib/external';

let answer: RequestListener;
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => request.resume().on('end', () => answer(request, response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const message = () => ({ timeoutMs: 20_000, signal: new AbortController().signal });

const large =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end('x'.repeat(2 * 1024 * 1024));
const broken =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-length': '500' }).write('{');
    setTimeout(() => response.destroy(), 50);
  };
const endless =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/event-stream' }).write('data: x\n\n');

test.each([
  ['large', large],
  ['broken', broken],
  ['endless', endless],
])('a call whose answer is not needed goes by the status, whatever body follows: %s', async (_, behaviour) => {
  const send = () =>
    post(
      base,
      { ...message(), body: '{}', isConfidential: true },
      { allowPrivateAddresses: true },
      ({ statusCode }) => statusCode,
    );
  answer = behaviour(200);
  expect(await send()).toBe(200);
  answer = behaviour(503);
  await expect(send()).rejects.toEqual(new ExternalUnavailable(`${base} answered 503`));
  answer = behaviour(403);
  await expect(send()).rejects.toEqual(new ExternalCallFailed(`${base} answered 403`));
});

test.each([
  ['large', large],
  ['broken', broken],
  ['endless', endless],
])('a call to an evaluator that is away can be made again, whatever body says so: %s', async (_, behaviour) => {
  answer = behaviour(503);
  const failure = await postJson(base, { ...message(), body: {} }, { allowPrivateAddresses: true }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ExternalUnavailable);
  expect((failure as Error).message).toMatch(/answered 503/);
});
