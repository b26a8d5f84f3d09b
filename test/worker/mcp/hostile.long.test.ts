import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ServerResponse } from 'node:http';
import type { McpServer } from '../../../src/worker/mcp/types';
import { actionsOf, call, closeServers, never } from '../../../testing/mcp/actions';
import { newLedger } from '../../../testing/mcp/ledger';
import { type Flood, HostileServer, writeAgain } from '../../../testing/models/hostile-answers';

const MB = 1024 * 1024;
/** Milliseconds for which nothing else of the worker may stand still, on a machine that is busy: alone it is a tenth. */
const STALL_MS = 2_500;

/** The result of a request: a text in JSON, or one that is written again and again between two others. */
type Result = string | Flood;

const tool = (name: string, more = '') => `{"name":"${name}","inputSchema":{"type":"object"}${more}}`;
const tools = (...list: string[]) => `{"tools":[${list.join(',')}]}`;
const ONE = tools(tool('look'));
const content = (again: string, bytes: number): string =>
  `{"content":[${`${again},`.repeat(bytes / again.length)}{"type":"text","text":"end"}]}`;

describe('an MCP server that means no good', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(async () => {
    await closeServers();
    await server.close();
  });

  function answer(response: ServerResponse, id: number, result: Result, asStream: boolean): unknown {
    const [before, after] = asStream ? ['data: ', '\n\n'] : ['', ''];
    const head = `${before}{"jsonrpc":"2.0","id":${id},"result":`;
    const zipped = typeof result === 'object' && result.zipped;
    response.writeHead(200, {
      'content-type': asStream ? 'text/event-stream' : 'application/json',
      ...(zipped && { 'content-encoding': 'gzip' }),
    });
    if (typeof result === 'string') return response.end(`${head}${result}}${after}`);
    return writeAgain(response, { ...result, head: head + (result.head ?? '') });
  }

  function service(
    given: { list?: Result; call?: Result },
    asStream = false,
  ): { service: McpServer; asked: () => string[] } {
    server.asked.length = 0;
    server.answering = (_, response, body) => {
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: number;
        method?: string;
        params?: { protocolVersion: string };
      };
      if (id === undefined) return response.writeHead(method ? 202 : 405).end();
      const hello = `{"protocolVersion":"${params?.protocolVersion}","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`;
      if (method === 'initialize') return answer(response, id, hello, false);
      return answer(response, id, (method === 'tools/list' ? given.list : given.call) ?? ONE, asStream);
    };
    const asked = (): string[] =>
      server.asked.map(({ body }) => (JSON.parse(body || '{}') as { method?: string }).method ?? '');
    return { service: { url: `${server.origin}/mcp`, timeout: '20s' }, asked };
  }

  async function withoutStall<T>(work: () => Promise<T>): Promise<T> {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    try {
      return await work();
    } finally {
      delay.disable();
      expect(delay.max / 1e6).toBeLessThan(STALL_MS);
    }
  }

  test.each([false, true])(
    'a hundred thousand tools on a page: the first thousand are known (streamed: %p)',
    async (asStream) => {
      const list = tools(...Array.from({ length: 100_000 }, (_, index) => tool(`t${index}`)));
      const actions = actionsOf({ desk: service({ list }, asStream).service });
      await withoutStall(() => actions.learn(['mcp.desk.t0'], never));
      expect(actions.find('mcp.desk.t999')).toBeDefined();
      expect(actions.find('mcp.desk.t1000')).toBeUndefined();
    },
  );

  test('tools that are none, and names of a megabyte, are left out; a schema that is too large is told', async () => {
    const deep = `,"inputSchema":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const list = tools(
      ...Array.from({ length: 7 }, (_, index) => tool(`${index}${'n'.repeat(900_000)}`)),
      '7',
      'null',
      '{"name":"none"}',
      tool('deep', deep),
      tool('large', `,"inputSchema":{"a":"${'x'.repeat(40_000)}"}`),
      tool('look'),
    );
    const actions = actionsOf({ desk: service({ list }).service });
    await withoutStall(() => actions.learn(['mcp.desk.look', 'mcp.desk.deep', 'mcp.desk.large'], never));
    expect(actions.find('mcp.desk.look')).toBeDefined();
    expect(actions.whyNot('mcp.desk.none')).toMatch(/has no tool "none"; it has deep, large, look$/);
    expect(actions.whyNot('mcp.desk.deep')).toMatch(/has \w+ characters; 32768 at most/);
    expect(actions.whyNot('mcp.desk.large')).toMatch(/has 40008 characters; 32768 at most/);
  });

  test('pages without an end are read for a while', async () => {
    const { service: endless, asked } = service({ list: `{"tools":[],"nextCursor":"more"}` });
    await actionsOf({ desk: endless }).learn(['mcp.desk.look'], never);
    expect(asked().filter((method) => method === 'tools/list')).toHaveLength(100);
  });

  test.each([
    [false, 'a list'],
    [true, 'a list'],
    [false, 'a zipped list'],
    [true, 'a line'],
  ] as const)(
    'a list without an end is refused (streamed: %p, %s)',
    async (asStream, what) => {
      const list: Flood = {
        head: '{"tools":[',
        again: what === 'a line' ? 'x' : `${tool('look')},`,
        zipped: what === 'a zipped list',
      };
      const learnt = actionsOf({ desk: service({ list }, asStream).service }).learn(['mcp.desk.look'], never);
      await withoutStall(() =>
        expect(learnt).rejects.toMatchObject({
          type: 'Mcp.Refused',
          nonRetryable: true,
          message: expect.stringMatching(/answers too much: The answer has /) as string,
        }),
      );
    },
    30_000,
  );

  test.each([false, true])(
    'a server that does not answer is waited for as long as somebody waits (streamed: %p)',
    async (asStream) => {
      const { service: mute } = service({});
      const { answering } = server;
      server.answering = (request, response, body) =>
        body.includes('tools/list')
          ? response
              .writeHead(200, { 'content-type': asStream ? 'text/event-stream' : 'application/json' })
              .flushHeaders()
          : answering(request, response, body);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('nobody waits')), 300);
      await expect(actionsOf({ desk: mute }).learn(['mcp.desk.look'], controller.signal)).rejects.toThrow(
        'nobody waits',
      );
    },
  );

  test.each<[string, string, RegExp]>([
    [
      'three megabytes of parts of an unknown type',
      content('{"type":"zzz"}', 3 * MB),
      /^(?:\[a part of the unknown type "zzz": not shown\]\n){10000}/,
    ],
    ['parts that are none', content('7', MB), /unknown type/],
    ['texts', content('{"type":"text","text":"spam"}', 3 * MB), /^(?:spam\n)+\[\d+ more parts: not shown\]$/],
    ['no content', '{"content":{"a":1}}', /^$/],
  ])(
    'a result of %s is read without a stall',
    async (_name, result, expected) => {
      for (const asStream of [false, true]) {
        const actions = actionsOf({ desk: service({ call: result }, asStream).service });
        await actions.learn(['mcp.desk.look'], never);
        const action = actions.get('mcp.desk.look');
        const given = await withoutStall(async () =>
          action.run({} as never, { signal: never, idempotencyKey: 'k' } as never),
        );
        expect(given).toMatch(expected);
      }
    },
    30_000,
  );

  test.each([false, true])(
    'a result without an end fails the call, which is not made again (streamed: %p)',
    async (asStream) => {
      for (const zipped of [false, true]) {
        const { service: endless, asked } = service(
          { call: { head: '{"content":[{"type":"text","text":"', again: 'spam ', zipped } },
          asStream,
        );
        const actions = actionsOf({ desk: endless });
        await actions.learn(['mcp.desk.look'], never);
        const { content: told, failed } = await withoutStall(() => call(actions, 'mcp.desk.look'));
        expect(failed).toBe(true);
        expect(told).toMatch(/^The answer has (?:an event of )?more than 8388608 bytes/);
        expect(asked().filter((method) => method === 'tools/call')).toHaveLength(1);
      }
    },
    30_000,
  );

  test('a program that does not end a message fails the call, or is refused', async () => {
    const file = join(newLedger(), '..', `hostile-${process.pid}.cjs`);
    writeFileSync(
      file,
      `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
        if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
        else if (method === 'tools/list' && !process.argv[2]) say({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
        else if (id !== undefined) setInterval(() => process.stdout.write('x'.repeat(1000000)), 1);
      });`,
    );
    const program = (...args: string[]): McpServer => ({
      command: process.execPath,
      args: [file, ...args],
      timeout: '20s',
    });
    const actions = actionsOf({ desk: program() });
    await actions.learn(['mcp.desk.look'], never);
    expect(await call(actions, 'mcp.desk.look')).toEqual({
      content: 'The server answers with more than 8388608 bytes',
      failed: true,
    });
    await expect(actionsOf({ desk: program('list') }).learn(['mcp.desk.look'], never)).rejects.toMatchObject({
      type: 'Mcp.Refused',
    });
  });
});
