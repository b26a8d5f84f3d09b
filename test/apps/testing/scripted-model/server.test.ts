import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { paidCalls, readLedger, requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import { failUntil, type Script } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';

let server: ScriptedOpenAI;
let client: OpenAI;

async function start(script: Script, ledgerFile?: string): Promise<void> {
  server = await ScriptedOpenAI.start({ script, ...(ledgerFile === undefined ? {} : { ledgerFile }) });
  client = new OpenAI({ apiKey: 'k', baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
}
afterEach(() => server.close().catch(() => undefined));

const ask = (content: string, model = 'm', options = {}) =>
  client.chat.completions.create({ model, messages: [{ role: 'user', content }] }, options);
const textOf = async (content: string, model?: string) => (await ask(content, model)).choices[0]?.message.content;

describe('what a script says', () => {
  test('entries answer in order, objects as JSON, and say that they come from a script', async () => {
    await start([{ reply: 'one' }, { reply: { two: 2 } }]);
    const { data, response } = await ask('abcdefgh').withResponse();
    expect(data.choices[0]?.message.content).toBe('one');
    expect(data.system_fingerprint).toBe('scripted');
    expect(response.headers.get('x-scripted')).toBe('true');
    expect(data.usage).toEqual({ prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 });
    expect(await textOf('again')).toBe('{"two":2}');
    server.assertDone();
  });

  test('entries find their requests by text, by last message, by model and by a function', async () => {
    await start([
      { match: { last: '^judge' }, reply: 'verdict' },
      { match: { model: /big/g }, reply: 'big', times: 2 },
      { match: ({ body }) => body.messages.length === 1 && body.model === 'odd', reply: 'odd' },
      { match: 'needle', reply: 'found' },
    ]);
    expect(await textOf('a needle')).toBe('found');
    expect(await textOf('x', 'odd')).toBe('odd');
    expect(await textOf('x', 'big-1')).toBe('big');
    expect(await textOf('judge this')).toBe('verdict');
    expect(await textOf('y', 'big-1')).toBe('big');
    server.assertDone();
  });

  test('a function is a script too', async () => {
    await start(({ last }, index) => ({ reply: `${index}:${last}` }));
    expect(await textOf('a')).toBe('0:a');
    expect(await textOf('b')).toBe('1:b');
  });

  test('failUntil is an outage from its first request on', async () => {
    await start([failUntil(150, { status: 503 }), { reply: 'back' }]);
    await expect(ask('1')).rejects.toMatchObject({ status: 503 });
    await expect(ask('2')).rejects.toMatchObject({ status: 503 });
    await new Promise((resolve) => setTimeout(resolve, 160));
    expect(await textOf('3')).toBe('back');
  });

  test('streams send text in pieces, and usage to those who ask for it', async () => {
    const reply = 'Ein längerer Text, der in Stücken kommt.';
    await start([{ reply, times: 2 }]);
    const read = async (include_usage: boolean) => {
      const messages = [{ role: 'user' as const, content: 'x' }];
      const stream_options = { include_usage };
      const chunks = [];
      for await (const chunk of await client.chat.completions.create({
        model: 'm',
        messages,
        stream: true,
        stream_options,
      }))
        chunks.push(chunk);
      return chunks;
    };
    const chunks = await read(true);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(reply);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(10);
    expect((await read(false)).some((chunk) => chunk.usage)).toBe(false);
  });

  test('models can be listed', async () => {
    await start([]);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['scripted']);
  });
});

describe('a script that is used up', () => {
  test('is refused for good, and remembered', async () => {
    await start([]);
    await expect(ask('more')).rejects.toMatchObject({ status: 400, code: 'script_exhausted' });
    expect(() => server.assertDone()).toThrow('more');
    await expect(server.close()).rejects.toThrow('ran out');
  });

  test('entries that are left over are a mistake too, those for always are not', async () => {
    await start([
      { reply: 'a', times: 2 },
      { reply: 'b', times: 'always' },
    ]);
    await ask('x');
    expect(() => server.assertDone()).toThrow('1 answer of the script was never asked for: [{"reply":"a","times":1}]');
  });

  test('a mistake in the script fails the test and is not tried again', async () => {
    await start([{ match: '(', reply: 'x' }]);
    await expect(ask('x')).rejects.toMatchObject({ status: 400, code: 'script_failed' });
    await expect(server.close()).rejects.toThrow('Invalid regular expression');
  });
});

describe('the ledger', () => {
  test('says what was asked and paid for, in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    const file = join(folder, 'ledger.jsonl');
    await start([{ reply: 'a' }, { status: 500 }, { fault: 'truncate', reply: 'long enough to be cut' }], file);
    const format = { type: 'json_schema' as const, json_schema: { name: 'n', schema: {}, strict: true } };
    await client.chat.completions.create({ model: 'm', messages: [], response_format: format });
    await expect(ask('2')).rejects.toMatchObject({ status: 500 });
    await expect(ask('3')).rejects.toThrow('terminated');
    const lines = readLedger(file);
    expect(requestsOf(lines)).toHaveLength(3);
    expect(requestsOf(lines)[0]?.body?.response_format).toEqual(format);
    expect(paidCalls(lines)).toEqual([expect.objectContaining({ request: 1, reply: 'a' })]);
    expect(lines.at(-1)).toMatchObject({ kind: 'closed', request: 3, by: 'script' });
    rmSync(folder, { recursive: true });
  });

  test.each([
    { fault: 'hang' as const },
    { fault: 'stall' as const, reply: 'abc' },
    { reply: 'late', delayMs: 60_000 },
  ])('says when the client gave up: %j', async (entry) => {
    await start([entry]);
    const controller = new AbortController();
    const call = ask('x', 'm', { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(call).rejects.toThrow(/abort/i);
    while (server.ledger.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.ledger[1]).toMatchObject({ kind: 'closed', by: 'client' });
    expect(paidCalls(server.ledger)).toEqual([]);
  });
});

test('the ledger holds the key of a caller only if it was asked to', async () => {
  for (const keepAuthorization of [undefined, true]) {
    const keeping = await ScriptedOpenAI.start({ script: () => ({ reply: 'so' }), keepAuthorization });
    try {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
      const headers = { authorization: 'Bearer sk-not-for-files', 'content-type': 'application/json' };
      await (await fetch(`${keeping.baseUrl}/chat/completions`, { method: 'POST', headers, body })).text();
      expect(JSON.stringify(keeping.ledger).includes('sk-not-for-files')).toBe(keepAuthorization === true);
    } finally {
      await keeping.close();
    }
  }
});
