import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ReflectionClient } from '../../src/client';
import { type Flood, HostileServer, writeAgain } from '../../testing/models/hostile-answers';
import { killHard, startScript } from '../../testing/support/processes';
import { SHARES_BUNDLES } from '../../testing/support/child-environment';
import { testAddress } from '../../testing/support/temporal-server';

const BYTES = 400 * 1024 * 1024;
const WHOLE = {
  head: '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"',
  again: 'spam ',
};
const CALLS = {
  head: '{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"function":{}}',
  again: ',{"function":{}}',
  tail: ']}}]}',
  bytes: 16_000_000,
};
const EVENT = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'spam '.repeat(50) } }] })}\n\n`;

interface Row {
  flood?: Flood;
  status?: number;
  sse?: boolean;
  /** Settings of the model. */
  model?: object;
  type?: string;
}

/** Endpoints by the name of their model. */
const ROWS: Record<string, Row> = {
  zipped: { flood: { ...WHOLE, zipped: true, bytes: BYTES } },
  endless: { flood: WHOLE },
  calls: { flood: CALLS },
  braces: { flood: { head: '[', again: '{},' } },
  stream: { flood: { again: EVENT }, sse: true, model: { stream: true } },
  'zipped-stream': { flood: { again: EVENT, zipped: true, bytes: BYTES }, sse: true, model: { stream: true } },
  line: { flood: { head: 'data: "', again: 'x' }, sse: true, model: { stream: true } },
  error: {
    status: 400,
    flood: { head: '{"error":{"code":"invalid_value","message":"', again: 'no ', zipped: true, bytes: BYTES },
    type: 'Model.BadRequest',
  },
  background: {
    flood: {
      head: '{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"',
      again: 'spam ',
      zipped: true,
      bytes: BYTES,
    },
    model: { background: true },
  },
  'own-text': {},
  'own-calls': {},
  'ai-sdk-zipped': { flood: { ...WHOLE, zipped: true, bytes: BYTES } },
  'ai-sdk-calls': { flood: CALLS },
};

const wants = (model: string) => ({
  task: 'Write.',
  generator: { action: 'llm.call' as const, prompt: '{{ task }}', model },
  evaluator: { type: 'regex' as const, pattern: 'x' },
  maxIterations: 1,
});

test('a worker with a heap of 512 MB outlives endpoints that send without an end, and nothing is asked for twice', async () => {
  const asked = new Map<string, number>();
  const finish: (() => void)[] = [];
  const server = await HostileServer.start((request, response, body) => {
    const [, name = ''] = request.url!.split('/');
    if (name === 'mcp') return mcp(response, body);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    if (name === 'good') {
      finish.push(() =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"choices":[{"finish_reason":"stop","message":{"content":"x"}}]}'),
      );
      return undefined;
    }
    const { status = 200, flood, sse } = ROWS[name]!;
    response.writeHead(status, {
      'content-type': sse ? 'text/event-stream' : 'application/json',
      ...(flood!.zipped && { 'content-encoding': 'gzip' }),
    });
    return writeAgain(response, flood!);
  });

  function mcp(response: ServerResponse, body: string): unknown {
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: number;
      method?: string;
      params?: { protocolVersion: string };
    };
    if (id === undefined) return response.writeHead(method ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    const hello = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
    if (method !== 'tools/call')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? hello : { tools } }));
    asked.set('mcp', (asked.get('mcp') ?? 0) + 1);
    return writeAgain(response, {
      head: `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
      again: 'spam ',
    });
  }

  const taskQueue = `hostile-${randomUUID()}`;
  const models = ['good', ...Object.keys(ROWS).filter((name) => !/^(?:own|ai-sdk)-/.test(name))];
  const worker = await startScript('testing/models/hostile-worker.ts', {
    readyWhen: /ready/,
    env: {
      TEMPORAL_ADDRESS: testAddress(),
      REFLECT_TASK_QUEUE: taskQueue,
      REFLECT_TEST_ORIGIN: server.origin,
      REFLECT_TEST_MODELS: JSON.stringify(
        models.map((name) => ({ name, model: name, baseUrl: `${server.origin}/${name}/v1`, ...ROWS[name]?.model })),
      ),
      OPENAI_API_KEY: 'none',
      NODE_OPTIONS: `${SHARES_BUNDLES.NODE_OPTIONS} --max-old-space-size=512`,
    },
  });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  const beside = client.run(wants('good'));
  const ends = await Promise.all(
    Object.keys(ROWS).map(async (name) => {
      const error = await client.run(wants(name)).then(
        () => ({ type: 'no failure' }),
        (thrown: { type?: string }) => thrown,
      );
      return [name, error.type];
    }),
  );
  expect(Object.fromEntries(ends)).toEqual(
    Object.fromEntries(Object.entries(ROWS).map(([name, { type = 'Model.ReplyTooLarge' }]) => [name, type])),
  );
  await expect(client.run({ ...wants('good'), generator: { action: 'mcp.desk.look', with: {} } })).rejects.toThrow(
    /The answer has more than 8388608 bytes/,
  );
  finish.splice(0).forEach((end) => end());
  expect(await beside).toMatchObject({ success: true, finalOutput: 'x' });
  expect(worker.exitCode).toBeNull();
  const own = Object.keys(ROWS).filter((name) => name.startsWith('own-'));
  expect(Object.fromEntries(asked)).toEqual(
    Object.fromEntries(
      ['good', 'mcp', ...Object.keys(ROWS)].filter((name) => !own.includes(name)).map((name) => [name, 1]),
    ),
  );
  await killHard(worker);
  await client.close();
  await server.close();
}, 300_000);
