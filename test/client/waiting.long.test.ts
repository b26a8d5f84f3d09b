import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { COMMAND_NAMES } from '../../src/loop/base/command-payloads';
import { CallAbortedError, NoAnswerError } from '../../src/loop/errors/call-errors';
import { InvalidConfigError } from '../../src/loop/errors/errors';
import { eventually } from '../../testing/support/eventually';
import { hears } from '../../testing/support/hears';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testAddress } from '../../testing/support/temporal-server';
import { METHODS, PARTS, spec } from './methods';

const thrownBy = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined).catch((thrown: unknown) => thrown);

function methodNames(of: object): string[] {
  const names = new Set<string>();
  for (let type: object | null = of; type && type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(type))) if (value) names.add(name);
  }
  for (const name of ['constructor', 'close', 'attach']) names.delete(name);
  return [...names];
}

test('the table below has every method of the client and of its parts', async () => {
  const connection = Connection.lazy();
  const client = new ReflectionClient(new Client({ connection }), 'nobody');
  const ofParts = PARTS.flatMap((part) => {
    const methods = methodNames(Object.getPrototypeOf(client[part]) as object);
    return (part === 'batches' ? [...methods, 'attach'] : methods).map((name) => `${part}.${name}`);
  });
  expect(Object.keys(METHODS).sort()).toEqual([...methodNames(ReflectionClient.prototype), ...ofParts].sort());
  await connection.close();
});

describe('a server that takes connections and says nothing', () => {
  let server: Server;
  let connection: Connection;
  let client: ReflectionClient;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = Connection.lazy({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    client = new ReflectionClient(new Client({ connection }), 'nobody');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await connection.close();
  });

  test.each(Object.entries(METHODS))('%s ends with a type once its timeout is over', async (_method, call) => {
    const thrown = await thrownBy(call(client, { timeout: 100 }));
    expect(thrown).toBeInstanceOf(NoAnswerError);
    expect(thrown).toMatchObject({ type: 'NoAnswer', timeoutMs: 100 });
  });

  test.each(Object.entries(METHODS))('%s ends with a type when its signal aborts', async (_method, call) => {
    const controller = new AbortController();
    const thrown = thrownBy(call(client, { signal: controller.signal }));
    setTimeout(() => controller.abort('enough'), 100);
    expect(await thrown).toBeInstanceOf(CallAbortedError);
    expect(await thrown).toMatchObject({ type: 'CallAborted', cause: 'enough' });
  });

  test.each(Object.entries(METHODS))('%s asks nobody once its signal is aborted', async (_method, call) => {
    expect(await thrownBy(call(client, { signal: AbortSignal.abort('before') }))).toMatchObject({
      type: 'CallAborted',
      cause: 'before',
    });
  });

  test.each(Object.entries(METHODS))('%s refuses a timeout that is none', async (_method, call) => {
    for (const timeout of ['soon', 0, -1, Number.NaN, '25d', null as never]) {
      const thrown = await thrownBy(call(client, { timeout }));
      expect(thrown).toBeInstanceOf(InvalidConfigError);
      expect(thrown).toMatchObject({ problems: [{ path: '/timeout' }] });
    }
  });

  test('connect that ends by its timeout leaves no socket open', async () => {
    const left = new Set<Socket>();
    const silent = createServer((socket) => {
      left.add(socket.on('error', () => undefined).on('close', () => left.delete(socket)));
      socket.resume();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    let opened = 0;
    silent.on('connection', () => (opened += 1));
    await expect(ReflectionClient.connect({ address, timeout: 1_500 })).rejects.toBeInstanceOf(NoAnswerError);
    expect(opened).toBeGreaterThan(0);
    // As long as gRPC takes to try anew.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const open = left.size;
    for (const socket of left) socket.destroy();
    silent.close();
    expect(open).toBe(0);
  });

  test('connect ends with a type: after its timeout, by its signal, and where nobody listens', async () => {
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await thrownBy(ReflectionClient.connect({ address, timeout: 300 }))).toMatchObject({
      name: 'NoAnswerError',
      type: 'NoAnswer',
      method: 'connect',
      timeoutMs: 300,
      message: expect.stringMatching(
        /^No server answered "connect" within 300 ms\. Is the Temporal server there/,
      ) as string,
    });
    const controller = new AbortController();
    const thrown = thrownBy(ReflectionClient.connect({ address, signal: controller.signal }));
    setTimeout(() => controller.abort('enough'), 100);
    expect(await thrown).toMatchObject({ type: 'CallAborted', method: 'connect', cause: 'enough' });
    const aborted = ReflectionClient.connect({ address, signal: AbortSignal.abort('before') });
    expect(await thrownBy(aborted)).toMatchObject({ type: 'CallAborted', cause: 'before' });
    expect(await thrownBy(ReflectionClient.connect({ address, timeout: 'soon' }))).toMatchObject({
      problems: [{ path: '/timeout' }],
    });
    // Nobody listens there.
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const nobody = `127.0.0.1:${(free.address() as AddressInfo).port}`;
    await new Promise((resolve) => free.close(resolve));
    expect(await thrownBy(ReflectionClient.connect({ address: nobody, timeout: 300 }))).toMatchObject({
      type: 'NoAnswer',
    });
  });

  test('the error says what happened, where, and what to do', async () => {
    const messageOf = async (method: keyof typeof METHODS) =>
      String(await thrownBy(METHODS[method](client, { timeout: 100 })));
    expect(await messageOf('accept')).toBe(
      'NoAnswerError: No worker answered "accept" for the run "it" within 100 ms. Whether it takes effect is not known yet. ' +
        'Look at the run once a worker is up, or send it again with the id "mine": under one id it takes effect once.',
    );
    expect(await messageOf('progress')).toMatch(/No worker answered "progress" for the run "it" within 100 ms\./);
    expect(await messageOf('result')).toMatch(/No result came for the run "it" within 100 ms\..* goes on/);
    expect(await messageOf('start')).toMatch(/No server answered "start" for the run "reflection-.*look for it/);
    expect(await messageOf('list')).toMatch(/No server answered "list" within 100 ms\./);
  });

  test('the scope of the caller holds, too: its deadline, and its signal', async () => {
    const late = client.temporal.withDeadline(Date.now() + 200, () => client.progress('it'));
    expect(await thrownBy(late)).toMatchObject({ type: 'NoAnswer', timeoutMs: undefined });
    const signal = AbortSignal.timeout(200);
    const ended = client.temporal.withAbortSignal(signal, () => client.progress('it'));
    expect(await thrownBy(ended)).toMatchObject({ type: 'CallAborted', cause: signal.reason });
  });
});

describe('a run whose worker is away', () => {
  let world: LoopWorld;
  let connection: Connection;
  let client: ReflectionClient;
  let workflowId: string;
  const taskQueue = `away-${randomUUID()}`;

  beforeAll(async () => {
    world = await startWorld({ actions: [hears], taskQueue });
    ({ workflowId } = await world.client.start(spec));
    await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    await world.close();
    connection = await Connection.connect({ address: testAddress() });
    client = new ReflectionClient(new Client({ connection }), taskQueue);
  });
  afterAll(async () => {
    // What was sent to it while its worker was away may have ended it by now.
    await client.temporal.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
    await connection.close();
  });

  test.each([...COMMAND_NAMES])('%s ends as NoAnswer, with the id that it went by', async (name) => {
    const payload = { text: 'so', output: 1, iterations: 1, iteration: 1, decision: 'stop' } as never;
    const thrown = await thrownBy(client[name](workflowId, payload, { timeout: 500 }));
    expect(thrown).toBeInstanceOf(NoAnswerError);
    expect(thrown).toMatchObject({ workflowId, method: name, commandId: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  test.each(['progress', 'history', 'best'] as const)('%s ends as NoAnswer', async (name) => {
    expect(await thrownBy(client[name](workflowId, { timeout: 500 }))).toMatchObject({
      type: 'NoAnswer',
      workflowId,
    });
    const controller = new AbortController();
    const thrown = thrownBy(client[name](workflowId, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 200);
    expect(await thrown).toMatchObject({ type: expect.stringMatching(/^CallAborted$|^NoAnswer$/), workflowId });
  });

  test('result ends as NoAnswer, and the run goes on', async () => {
    expect(await thrownBy(client.result(workflowId, { timeout: 300 }))).toMatchObject({ type: 'NoAnswer' });
    expect((await client.temporal.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('a client on the connection of a worker ends in time, too', async () => {
    const native = await NativeConnection.connect({ address: testAddress() });
    const own = new ReflectionClient(new Client({ connection: native }), taskQueue);
    expect(await thrownBy(own.accept(workflowId, {}, { timeout: 300 }))).toMatchObject({ type: 'NoAnswer' });
    expect(await thrownBy(own.result(workflowId, { timeout: '24d', signal: AbortSignal.timeout(300) }))).toMatchObject({
      type: 'CallAborted',
    });
    await native.close();
  });

  test('sent again with its id when a worker is up, a command takes effect once', async () => {
    // Nothing else was sent to this one: the server may still hold what the tests above sent to the other.
    const { workflowId: own } = await client.start({ ...spec, maxIterations: 2, convergence: false });
    const thrown = await thrownBy(client.guide(own, { text: 'Name the source.' }, { timeout: 1_000 }));
    expect(thrown).toBeInstanceOf(NoAnswerError);
    const id = (thrown as NoAnswerError).commandId!;
    const back = await startWorld({ actions: [hears], taskQueue });
    try {
      await client.guide(own, { text: 'Name the source.', id });
      await client.guide(own, { text: 'Name the source.', id });
      await client.abort(own);
      const { history } = await client.result(own);
      expect(history.people.map(({ name }) => name)).toEqual(['guide', 'abort']);
    } finally {
      await back.close();
    }
  });
});
