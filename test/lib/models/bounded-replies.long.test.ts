import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { boundedFetch } from '../../../src/lib/fetch/bounded-fetch';
import { failureTypeOf } from '../../../src/lib/models/circuits/failure-type';
import { createModels, type WorkerModels } from '../../../src/lib/models';
import { fromAiSdk } from '../../../src/lib/models/ai-sdk/from-ai-sdk';
import { findPaid } from '../../../src/lib/models/paid';
import type { ModelConfig } from '../../../src/lib/models/types';
import { type Flood, HostileServer, writeAgain } from '../../../testing/models/hostile-answers';

const MB = 1024 * 1024;
const KEY = 'a-very-secret-value';
const JSON_TYPE = 'application/json';
const SSE = 'text/event-stream';

const chunk = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

/** How a model is asked. */
type Way =
  'whole' | 'streamed' | 'in the background' | 'for vectors' | 'through the AI SDK' | 'through the AI SDK, streamed';

describe('answers of models', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(() => server.close());

  const config = (more: Partial<ModelConfig> = {}): ModelConfig => ({
    name: 'm',
    model: 'm-1',
    baseUrl: server.baseUrl,
    ...more,
  });

  async function asked(
    way: Way,
    more: Partial<ModelConfig> = {},
  ): Promise<{ error?: Error; text?: string; models: WorkerModels }> {
    server.asked.length = 0;
    const { baseUrl: baseURL } = server;
    const provider = createOpenAICompatible({ name: 'p', baseURL, apiKey: KEY, fetch: boundedFetch() });
    const model = way.startsWith('through')
      ? fromAiSdk(provider.chatModel('m-1'), { name: 'm' })
      : config({ stream: way === 'streamed', background: way === 'in the background', ...more });
    const models = createModels([model], { OPENAI_API_KEY: KEY }, { circuitBreaker: { failures: 1 } });
    const common = { timeoutMs: 30_000, signal: new AbortController().signal };
    try {
      if (way === 'for vectors') await models.embed({ texts: ['a', 'b'], ...common });
      else {
        const { text } = await models.call({
          messages: [{ role: 'user', content: 'Write.' }],
          tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
          ...(way.endsWith('streamed') && { onText: () => undefined }),
          ...(way === 'in the background' && {
            tools: undefined as never,
            background: { began: () => undefined, isWanted: () => Promise.resolve(false) },
          }),
          ...common,
        });
        return { text, models };
      }
    } catch (error) {
      return { error: error as Error, models };
    }
    return { models };
  }

  function flood(status: number, type: string, given: Flood): void {
    server.answering = (_, response) => {
      response.writeHead(status, { 'content-type': type, ...(given.zipped && { 'content-encoding': 'gzip' }) });
      return writeAgain(response, given);
    };
  }

  const whole = {
    head: '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"',
    again: 'spam ',
    tail: '"}}]}',
  };
  const calls = (count: number): Flood => ({
    head: '{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"function":{}}',
    again: ',{"function":{"name":"look","arguments":"{}"}}',
    tail: ']}}]}',
    bytes: count * 46,
  });

  test.each<[string, Way, string, Flood]>([
    ['400 MB behind a few hundred kilobytes', 'whole', JSON_TYPE, { ...whole, zipped: true, bytes: 400 * MB }],
    ['one that never ends', 'whole', JSON_TYPE, whole],
    ['one of a kind that is no JSON', 'whole', 'text/html', { again: '<p>' }],
    ['a million calls of tools', 'whole', JSON_TYPE, calls(1_000_000)],
    ['a hundred thousand calls of tools', 'whole', JSON_TYPE, calls(100_000)],
    ['nothing but lists in lists', 'whole', JSON_TYPE, { head: '[', again: '{},', bytes: 7 * MB }],
    [
      'a hundred thousand parts',
      'whole',
      JSON_TYPE,
      { head: '{"choices":[{"message":{"content":[', again: '"a",', tail: '"a"]}}]}', bytes: MB },
    ],
    ['a stream that never ends', 'streamed', SSE, { again: chunk({ content: 'spam '.repeat(20) }) }],
    [
      'a stream of 400 MB behind a few hundred kilobytes',
      'streamed',
      SSE,
      { again: chunk({ content: 'spam '.repeat(20) }), zipped: true, bytes: 400 * MB },
    ],
    ['reasoning that never ends', 'streamed', SSE, { again: chunk({ reasoning_content: 'hm '.repeat(20) }) }],
    ['a line that never ends', 'streamed', SSE, { head: 'data: "', again: 'x' }],
    ['an event of lines that never ends', 'streamed', SSE, { again: 'data:\n' }],
    ['an event of nothing but objects', 'streamed', SSE, { head: 'data: [', again: '{},', bytes: 7 * MB }],
    ['a stream of nothing that never ends', 'streamed', SSE, { again: ': still here\n\n' }],
    [
      'a stream with a million calls',
      'streamed',
      SSE,
      {
        again: Array.from({ length: 2_000 }, (_, index) =>
          chunk({ tool_calls: [{ index, function: { name: 'look' } }] }),
        ).join(''),
      },
    ],
    ['a stream under another name', 'streamed', 'text/plain', { again: chunk({ content: 'spam' }) }],
    [
      'a response that never ends',
      'in the background',
      JSON_TYPE,
      {
        head: '{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"',
        again: 'spam',
      },
    ],
    [
      'a response of many items',
      'in the background',
      JSON_TYPE,
      { head: '{"id":"r","status":"completed","output":[', again: '1,', tail: '1]}', bytes: MB },
    ],
    ['vectors that never end', 'for vectors', JSON_TYPE, { head: '{"data":[{"embedding":[', again: '0.125,' }],
    [
      'vectors of 400 MB behind a few hundred kilobytes',
      'for vectors',
      JSON_TYPE,
      { head: '{"data":[{"embedding":[', again: '0.125,', zipped: true, bytes: 400 * MB },
    ],
    ['one that never ends', 'through the AI SDK', JSON_TYPE, whole],
    ['a million calls of tools', 'through the AI SDK', JSON_TYPE, calls(1_000_000)],
    [
      'a stream that never ends',
      'through the AI SDK, streamed',
      SSE,
      // On a busy machine the AI SDK takes half a minute for a million small events.
      { again: chunk({ content: 'spam '.repeat(400) }) },
    ],
    ['a line that never ends', 'through the AI SDK, streamed', SSE, { head: 'data: "', again: 'x' }],
  ])(
    '%s is too large, paid for once and no outage (%s)',
    async (_name, way, type, given) => {
      flood(200, type, given);
      const { error, models } = await asked(way);
      expect(error && failureTypeOf(error)).toBe('ReplyTooLarge');
      expect(error!.message).toMatch(/^The answer (?:has|streams|calls) /);
      expect(findPaid(error!)).toMatchObject({
        modelCalls: 1,
        estimated: true,
        promptTokens: expect.any(Number) as number,
      });
      expect(server.asked).toHaveLength(1);
      expect(models.circuitStates()).toEqual([expect.objectContaining({ state: 'closed', failures: 0 })]);
    },
    60_000,
  );

  test.each([
    ['401 Ung\xfcltig', 'Unauthorized'],
    [`401 ${Buffer.from('无效').toString('latin1')}`, 'Unauthorized'],
    ['999 Denied', 'Unavailable'],
  ])('an answer "%s" is read as what its status says', async (line, type) => {
    const head = `HTTP/1.1 ${line}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`;
    server.answering = (_, response) => response.socket!.end(Buffer.from(head, 'latin1'));
    const { error } = await asked('whole');
    expect(error && failureTypeOf(error)).toBe(type);
    expect(error).toHaveProperty('status', Math.min(Number(line.slice(0, 3)), 599));
  });

  test.each<[Way, string]>([
    ['whole', JSON_TYPE],
    ['streamed', JSON_TYPE],
    ['in the background', JSON_TYPE],
    ['for vectors', JSON_TYPE],
    ['through the AI SDK', JSON_TYPE],
  ])(
    'the error of a request says what it is, however long its body is (%s)',
    async (way, type) => {
      flood(400, type, {
        head: '{"error":{"code":"context_length_exceeded","message":"Too \\"long\\": ',
        again: 'the prompt ',
        zipped: true,
        bytes: 400 * MB,
      });
      const { error } = await asked(way);
      expect(error && failureTypeOf(error)).toBe('ContextLength');
      expect(error!.message).toMatch(/Too "long": the prompt/);
      expect(error!.message.length).toBeLessThan(3_000);
    },
    60_000,
  );

  test.each<Way>(['whole', 'streamed', 'in the background', 'for vectors', 'through the AI SDK'])(
    'another address gets neither the key nor the prompt (%s)',
    async (way) => {
      const other = await HostileServer.start();
      for (const status of [301, 302, 303, 307, 308]) {
        server.answering = (_, response) =>
          response.writeHead(status, { location: `${other.baseUrl}/chat/completions?key=sesame` }).end();
        const { error, models } = await asked(way);
        expect(error && failureTypeOf(error)).toBe('NotFound');
        expect(error!.message).toContain(
          `answered ${status} and refers to ${other.baseUrl}/chat/completions. Redirects`,
        );
        expect(error!.message).not.toContain('sesame');
        expect(models.circuitStates()).toEqual([expect.objectContaining({ state: 'closed', failures: 0 })]);
      }
      expect(other.asked).toEqual([]);
      await other.close();
    },
  );

  test('the limit is a setting of the model', async () => {
    flood(200, JSON_TYPE, { ...whole, bytes: 9 * MB });
    expect((await asked('whole', { maxReplyBytes: 12 * MB })).text).toHaveLength(Math.ceil((9 * MB) / 65_540) * 65_540);
    const { error } = await asked('whole', { maxReplyBytes: MB });
    expect(error!.message).toBe(
      `The answer has more than ${MB} bytes. Nothing more of it was read. It is not asked for again; \`maxReplyBytes\` of the model "m" allows more.`,
    );
    flood(200, SSE, {
      again: chunk({ content: 'x' }),
      tail: 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      bytes: 12 * MB,
    });
    expect((await asked('streamed')).text).toMatch(/^x{100000,}$/);
  });

  describe('where this process gives up soon', () => {
    const before = getGlobalDispatcher();
    beforeAll(() => setGlobalDispatcher(new Agent({ headersTimeout: 300, bodyTimeout: 300 })));
    afterAll(() => setGlobalDispatcher(before));

    const slowly = (head: string, tail: string, type: string): void => {
      server.answering = async (_, response) => {
        const later = () => new Promise((done) => setTimeout(done, 2_500));
        await later();
        response.writeHead(200, { 'content-type': type });
        response.write(head);
        await later();
        response.end(tail);
      };
    };

    test('plain calls are cut', async () => {
      slowly('{', '}', JSON_TYPE);
      await expect(fetch(server.baseUrl)).rejects.toThrow('fetch failed');
    });

    test.each<[Way, string, string, string]>([
      ['whole', '{"choices":[{"finish_reason":"stop","message":{"content":', '"late"}}]}', JSON_TYPE],
      [
        'streamed',
        chunk({ content: 'la' }),
        `${chunk({ content: 'te' })}data: {"choices":[{"finish_reason":"stop"}]}\n\n`,
        SSE,
      ],
      [
        'in the background',
        '{"id":"r","status":"completed",',
        '"output":[{"type":"message","content":[{"type":"output_text","text":"late"}]}]}',
        JSON_TYPE,
      ],
      [
        'through the AI SDK',
        '{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":',
        '"late"}}]}',
        JSON_TYPE,
      ],
    ])(
      'the time limit of a call is the only one (%s)',
      async (way, head, tail, type) => {
        slowly(head, tail, type);
        expect(await asked(way)).toMatchObject({ text: 'late' });
      },
      20_000,
    );
  });
});
