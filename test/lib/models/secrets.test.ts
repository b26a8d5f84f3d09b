import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApplicationFailure } from '@temporalio/common';
import { toApplicationFailure } from '../../../src/activities/failures';
import { modelEndpoint } from '../../../src/apps/cli/worker/model-findings';
import { createModels } from '../../../src/lib/models';

const KEY = 'swordfish-42-swordfish';
const PATH_KEY = 'k3y-of-the-gateway';

/** What a provider may say when it refuses: all that it was sent, in forms of its own. */
const ECHOES: Record<string, (authorization: string, url: string) => string> = {
  'the header': (authorization) => `bad header ${authorization}`,
  'the header in base64': (authorization) => `bad header ${Buffer.from(authorization).toString('base64')}`,
  'the key in base64url': () => `bad key ${Buffer.from(KEY).toString('base64url')}`,
  'the key in hexadecimal': () => `bad key ${Buffer.from(KEY).toString('hex')}`,
  'the address': (_authorization, url) => `nobody at ${url}`,
  'the address in base64': (_authorization, url) => `nobody at ${Buffer.from(url).toString('base64')}`,
};

/** Any of these in a text, and who reads it has most of the secret. */
const TRACES = [KEY, PATH_KEY].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('hex').slice(4, 24),
  ...[0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
      .toString('base64')
      .slice(4, 16),
  ),
]);

let server: Server;
let echo = '';
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const message = ECHOES[echo]!(request.headers.authorization ?? '', request.url ?? '');
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${PATH_KEY}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = { messages: [], timeoutMs: 5_000, signal: new AbortController().signal };

test.each(Object.keys(ECHOES))('a provider that echoes %s', async (name) => {
  echo = name;
  const models = createModels([], { OPENAI_BASE_URL: base, OPENAI_API_KEY: KEY });
  const error: unknown = await models.call(call as never).catch((thrown: unknown) => thrown);
  const { message } = toApplicationFailure(error, { attempt: 1 }) as ApplicationFailure;
  expect(message).toContain('[redacted]');
  const told = `${message} ${(error as Error).message} ${(error as Error).stack} ${JSON.stringify(error)}`;
  for (const trace of TRACES) expect(told).not.toContain(trace);
});

test('circuits and the lines of a worker show an address without the key in its path, and tell two apart', async () => {
  echo = 'the header';
  const models = createModels(
    [base, base.replace(PATH_KEY, 'another-key-of-it')].map((baseUrl, index) => ({
      name: `${index}`,
      model: 'm',
      baseUrl,
    })),
    {},
  );
  for (const model of ['0', '1', '0']) await models.call({ ...call, model } as never).catch(() => undefined);
  const shown = `${new URL(base).origin}/[redacted]/v1`;
  expect(models.circuitStates().map(({ provider }) => provider)).toEqual([shown, `${shown} (2)`]);
  expect(modelEndpoint({ OPENAI_BASE_URL: base })).toMatchObject({ baseUrl: shown });
});
