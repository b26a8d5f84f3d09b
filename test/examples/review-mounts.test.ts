import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { expressApp } from '../../examples/review-mounts/express';
import { fastifyApp } from '../../examples/review-mounts/fastify';
import { honoApp } from '../../examples/review-mounts/hono';
import { createReviewHandler, type Handler, nodeListener } from '../../src/apps/cli/review';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { REVIEWED, reviewOnce } from '../../testing/support/review-once';

let model: ScriptedOpenAI;
let world: LoopWorld;

beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: [{ reply: 'A text.', times: 'always' }] });
  world = await startWorld({ models: [{ name: 'script', model: 'script', baseUrl: model.baseUrl }], memory: false });
}, 120_000);
afterAll(async () => {
  await world.close();
  await model.close();
});

/** An app of Express with the listener after some middleware, and a route of its own after both. */
const app = (mount: (app: express.Express) => void): RequestListener => {
  const made = express();
  mount(made);
  made.get('/health', (_request, response) => void response.end('up'));
  return made as RequestListener;
};

const MOUNTS: [string, (pages: Handler) => RequestListener | Promise<RequestListener>][] = [
  ['the example for Express', (pages) => expressApp(pages) as RequestListener],
  [
    'the example for Fastify',
    async (pages) => {
      const fastify = fastifyApp(pages);
      await fastify.ready();
      return fastify.routing as RequestListener;
    },
  ],
  ['the example for Hono', (pages) => getRequestListener(honoApp(pages).fetch)],
  ['a bare app.use of Express', (pages) => app((made) => void made.use(nodeListener(pages)))],
  ['a route of Express', (pages) => app((made) => void made.all('/review{/*splat}', nodeListener(pages)))],
  [
    'a mount in Express behind the extended parser',
    (pages) => app((made) => void made.use(express.urlencoded({ extended: true })).use('/review', nodeListener(pages))),
  ],
  [
    'a mount in Express behind a parser of raw bodies',
    (pages) => app((made) => void made.use(express.raw({ type: '*/*' })).use('/review', nodeListener(pages))),
  ],
];

async function serve(listener: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test.each(MOUNTS)(
  '%s shows the pages, takes their forms only, and leaves other paths to the app',
  async (_, mount) => {
    const pages = createReviewHandler(world.client, { reviewer: () => 'Ada' });
    const { origin, server } = await serve(await mount(pages));
    try {
      expect(await reviewOnce(world, origin)).toEqual(REVIEWED);
      expect(await (await fetch(`${origin}/health`)).text()).toBe('up');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
  60_000,
);

test('a body that a parser has read is bounded and checked as one that the listener reads', async () => {
  const pages = createReviewHandler(world.client, { reviewer: () => 'Ada' });
  const parsers = [express.json({ limit: '20mb' }), express.urlencoded({ extended: true, limit: '20mb' })];
  const drained: express.RequestHandler = (request, _response, next) => void request.resume().on('end', () => next());
  const { origin, server } = await serve(
    app((made) => {
      made.use(
        '/drained',
        drained,
        nodeListener(createReviewHandler(world.client, { path: '/drained', reviewer: () => 'Ada' })),
      );
      made.use(...parsers).use('/review', nodeListener(pages));
    }),
  );
  const post = async (body: string, path = '/review/open', type = 'application/x-www-form-urlencoded') => {
    const headers = { origin, 'content-type': type };
    return (await fetch(`${origin}${path}`, { method: 'POST', redirect: 'manual', headers, body })).status;
  };
  try {
    expect(await post('id=a')).toBe(303);
    expect(await post(JSON.stringify({ id: 'a' }), '/review/open', 'application/json')).toBe(415);
    expect(await post(`id=${'x'.repeat(9 * 1024 * 1024)}`)).toBe(413);
    expect(await post('id[deep][er]=a')).toBe(400);
    // Its bytes are gone, and no parser kept them.
    expect(await post('id=a', '/drained/open')).toBe(400);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 60_000);
