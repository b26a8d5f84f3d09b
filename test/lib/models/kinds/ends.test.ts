import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { fromAiSdk } from '../../../../src/lib/models/ai-sdk/from-ai-sdk';
import { failureTypeOf } from '../../../../src/lib/models/circuits/failure-type';
import { createModels } from '../../../../src/lib/models';
import type { ChatReply } from '../../../../src/lib/models/types';
import { HostileServer } from '../../../../testing/models/hostile-answers';

const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
const unknown = (word: string) => [
  `the provider says that the reply ended with "${word}", which is not known: it may not be whole`,
];

type Way = 'whole' | 'streamed' | 'in the background' | 'own' | 'through the AI SDK';

/** What a model answers whose reply ended so. */
function answerTo(way: Way, end: string, more: object): string {
  const choice = { index: 0, finish_reason: end, ...more };
  if (way === 'streamed') {
    const events = [
      { choices: [{ index: 0, delta: { content: 'The pump' } }] },
      { choices: [{ delta: {}, ...choice }] },
      { choices: [], usage },
    ];
    return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
  }
  if (way !== 'in the background')
    return JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'The pump' }, ...choice }], usage });
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'The pump' }] }];
  const told = end === 'stop' ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason: end } };
  return JSON.stringify({ id: 'r', output, usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 }, ...told });
}

describe('the end of a reply', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(() => server.close());

  async function asked(
    way: Way,
    end: string,
    maxTokens: number | undefined,
    more = {},
  ): Promise<ChatReply | string | undefined> {
    server.answering = (_, response) => {
      response.writeHead(200, { 'content-type': way === 'streamed' ? 'text/event-stream' : 'application/json' });
      response.end(answerTo(way, end, more));
    };
    const config = {
      name: 'm',
      model: 'm',
      baseUrl: server.baseUrl,
      stream: way === 'streamed',
      background: way === 'in the background',
    };
    const own = {
      name: 'm',
      call: () =>
        Promise.resolve({ text: 'The pump', finishReason: end, usage: { promptTokens: 10, completionTokens: 20 } }),
    };
    const provider = createOpenAICompatible({ name: 'p', baseURL: server.baseUrl, apiKey: 'none' });
    const model = way === 'own' ? own : way === 'through the AI SDK' ? fromAiSdk(provider.chatModel('m')) : config;
    const models = createModels([model], { OPENAI_API_KEY: 'none' });
    return models
      .call({
        messages: [{ role: 'user', content: 'Write.' }],
        ...(maxTokens !== undefined && { maxTokens }),
        ...(way === 'in the background' && {
          background: { began: () => undefined, isWanted: () => Promise.resolve(false) },
        }),
        timeoutMs: 5_000,
        signal: new AbortController().signal,
      })
      .catch((error: Error) => failureTypeOf(error));
  }

  describe.each<Way>(['whole', 'streamed', 'in the background', 'own', 'through the AI SDK'])(
    'of a model that is asked so: %s',
    (way) => {
      test.each<[string, number | undefined, object | string]>([
        ['stop', undefined, { cutOff: false }],
        ['stop', 20, { cutOff: true }],
        ['stop', 21, { cutOff: false }],
        ['MAX_TOKENS', undefined, { cutOff: true }],
        ['max_output_tokens', undefined, { cutOff: true }],
        ['error', undefined, 'Interrupted'],
        ['SAFETY', undefined, 'Filtered'],
        ['OTHER', undefined, { cutOff: false }],
      ])('%s, with a limit of %p tokens', async (end, maxTokens, expected) => {
        const reply = await asked(way, end, maxTokens);
        if (typeof expected === 'string') expect(reply).toBe(expected);
        else expect(reply).toMatchObject({ text: 'The pump', ...expected });
        const { warnings = [] } = typeof reply === 'object' ? reply : {};
        expect(warnings.filter((text) => text.includes('ended with'))).toEqual(end === 'OTHER' ? unknown(end) : []);
      });
    },
  );

  test.each<Way>(['whole', 'streamed'])('an error in the choice is what it says (%s)', async (way) => {
    expect(await asked(way, 'error', undefined, { error: { code: 502, message: 'Upstream closed' } })).toBe(
      'Unavailable',
    );
    expect(await asked(way, 'stop', undefined, { error: { code: 'insufficient_quota', message: 'Empty' } })).toBe(
      'QuotaExhausted',
    );
  });
});
