import type {
  LanguageModelV2CallOptions,
  LanguageModelV3CallOptions,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider';
import {
  APICallError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from 'ai';
import { MockEmbeddingModelV3, MockLanguageModelV3 } from 'ai/test';
import { modelFailureType } from '../../../../src/activities/failures';
import type { AiSdkLanguageModel } from '../../../../src/lib/models/ai-sdk/ai-sdk-model';
import type { AiSdkCallOptions, PlainData, TaggedData } from '../../../../src/lib/models/ai-sdk/call-options';
import { type AiSdkOptions, fromAiSdk } from '../../../../src/lib/models/ai-sdk/from-ai-sdk';
import { createModels } from '../../../../src/lib/models';
import type { ChatRequest } from '../../../../src/lib/models/types';

/** Compiles only while every version of the specification takes what is sent. */
const taken: (
  plain: AiSdkCallOptions<PlainData>,
  tagged: AiSdkCallOptions<TaggedData>,
) => [
  Pick<LanguageModelV2CallOptions, keyof AiSdkCallOptions>,
  Pick<LanguageModelV3CallOptions, keyof AiSdkCallOptions>,
  Pick<LanguageModelV4CallOptions, keyof AiSdkCallOptions>,
] = (plain, tagged) => [plain, plain, tagged];

const COUNT = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const PLAIN: Awaited<ReturnType<MockLanguageModelV3['doGenerate']>> = {
  content: [{ type: 'text', text: 'x' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: COUNT, outputTokens: COUNT },
  warnings: [],
};

function request(more: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: 'user' as const, content: 'Write.' }];
  return { messages, timeoutMs: 5_000, signal: new AbortController().signal, ...more };
}

/** Calls a mock that answers so, and says what it was given. */
async function call(result: unknown, more: Partial<ChatRequest> = {}, options: AiSdkOptions = {}) {
  const mock = new MockLanguageModelV3({
    doGenerate: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result as typeof PLAIN)),
  });
  const models = createModels([fromAiSdk(mock, options)], {});
  const reply = await models.call(request(more));
  return { reply, given: mock.doGenerateCalls[0] as unknown as AiSdkCallOptions };
}

const failureBy = (result: unknown): Promise<string> =>
  call(result).then(
    () => 'the call succeeded',
    (error: unknown) => modelFailureType(error),
  );

describe('fromAiSdk', () => {
  test('refuses what is no model of a version that it knows', () => {
    const make = (model: unknown) => () => fromAiSdk(model as AiSdkLanguageModel);
    expect(make('openai/gpt-5')).toThrow('not the name "openai/gpt-5"');
    for (const nothing of [undefined, null, {}, { doGenerate: 7 }, () => undefined])
      expect(make(nothing)).toThrow(TypeError);
    expect(make(Object.assign(new MockLanguageModelV3(), { specificationVersion: 'v9' }))).toThrow(
      'the model "mock-model-id" has the specification v9; known are v2, v3 and v4',
    );
    expect(make(Object.assign(new MockEmbeddingModelV3(), { specificationVersion: 'v1' }))).toThrow(
      'has the specification v1',
    );
  });

  test('names a model by its id, and its provider without the kind', () => {
    const mock = new MockLanguageModelV3({ provider: 'acme.chat', modelId: 'deep-1' });
    expect(fromAiSdk(mock)).toMatchObject({ name: 'deep-1', model: 'deep-1', provider: 'acme' });
    expect(fromAiSdk(mock, { name: 'judge' })).toMatchObject({ name: 'judge', model: 'deep-1' });
  });

  test('sends no schema to a model that says that it takes none', async () => {
    const reply = { name: 'verdict', schema: { type: 'object' } };
    const mock = Object.assign(new MockLanguageModelV3({ doGenerate: PLAIN }), { supportsStructuredOutputs: false });
    await createModels([fromAiSdk(mock)], {}).call(request({ reply }));
    expect(mock.doGenerateCalls[0]).not.toHaveProperty('responseFormat');
    await createModels([fromAiSdk(mock, { structuredOutput: true })], {}).call(request({ reply }));
    expect(mock.doGenerateCalls[1]).toMatchObject({ responseFormat: { type: 'json', ...reply } });
  });

  test('sends headers and the provider’s own options along, and the signal', async () => {
    const along = { providerOptions: { acme: { effort: 'low' } }, headers: { 'x-team': 'writers' } };
    const { given } = await call(PLAIN, {}, along);
    expect(given).toMatchObject(along);
    expect(given.abortSignal).toBeInstanceOf(AbortSignal);
    expect(taken(given as AiSdkCallOptions<PlainData>, given as AiSdkCallOptions<TaggedData>)).toHaveLength(3);
  });

  test('tells arguments that are no JSON, and which tool answered', async () => {
    const toolCalls = [
      { id: 'a', name: 'look_up', arguments: '{"order":' },
      { id: 'b', name: 'count', arguments: '' },
    ];
    const turns = [
      { role: 'assistant' as const, content: '', toolCalls },
      { role: 'tool' as const, toolCallId: 'b', content: '7' },
    ];
    const { given } = await call(PLAIN, { turns });
    expect(given.prompt.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: { arguments: '{"order":' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'count', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'b', toolName: 'count', output: { type: 'text', value: '7' } }],
      },
    ]);
  });

  test('leaves out reasoning, sources, files, and tools that the provider ran itself', async () => {
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', toolCallId: 'w', toolName: 'web_search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'w', toolName: 'web_search', result: {} },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
      { type: 'text', text: 'One ' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'text', text: 'two.' },
    ];
    const { reply } = await call({ ...PLAIN, content });
    expect(reply).toMatchObject({ text: 'One two.', warnings: ['the model sent 1 file, which is left out'] });
    expect(reply.toolCalls).toBeUndefined();
  });

  test('takes the text that the provider names as the structured one', async () => {
    const result = { ...PLAIN, content: [{ type: 'text', text: 'Draft. {"a":1}' }], structuredOutputText: '{"a":1}' };
    expect((await call(result, { reply: { name: 'r', schema: {} } })).reply.text).toBe('{"a":1}');
    expect((await call(result)).reply.text).toBe('Draft. {"a":1}');
  });

  test.each<[object, string]>([
    [{ type: 'unsupported', feature: 'seed', details: 'no seeds' }, 'the model: unsupported: seed: no seeds'],
    [{ type: 'unsupported-setting', setting: 'topK' }, 'the model: unsupported-setting: topK'],
    [{ type: 'unsupported-tool', tool: { name: 'look_up' } }, 'the model: unsupported-tool: look_up'],
    [{ type: 'deprecated', setting: 'x', message: 'use y' }, 'the model: deprecated: x: use y'],
    [{ type: 'other', message: 'Slow today.' }, 'the model: Slow today.'],
  ])('a warning of any version is told: %j', async (warning, text) => {
    expect((await call({ ...PLAIN, warnings: [warning] })).reply.warnings).toEqual([text]);
  });

  test('estimates where the provider counts nothing', async () => {
    for (const usage of [undefined, {}, { inputTokens: NaN, outputTokens: undefined }])
      expect((await call({ ...PLAIN, usage })).reply.usage).toMatchObject({ estimated: true, usd: null });
    const odd = { inputTokens: 3, outputTokens: 4, totalTokens: 12 };
    expect((await call({ ...PLAIN, usage: odd })).reply.usage).toMatchObject({ promptTokens: 3, totalTokens: 12 });
  });

  test('counts cached and reasoning tokens, of every version, and their price', async () => {
    const prices = { inputPerMillion: 10, outputPerMillion: 100, cachedInputPerMillion: 1 };
    const told = { cachedTokens: 60, reasoningTokens: 5, promptTokens: 100, completionTokens: 20 };
    const v3 = { inputTokens: { total: 100, cacheRead: 60 }, outputTokens: { total: 20, reasoning: 5 } };
    const v2 = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, reasoningTokens: 5 };
    for (const usage of [v3, v2]) {
      const { reply } = await call({ ...PLAIN, usage }, {}, { prices });
      expect(reply.usage).toMatchObject({ ...told, usd: (40 * 10 + 60 * 1 + 20 * 100) / 1_000_000 });
    }
    const own = { name: 'own', prices, call: () => Promise.resolve({ text: 'x', usage: told }) };
    expect((await createModels([own], {}).call(request())).usage).toMatchObject(told);
  });

  test('tells how words are chosen, and the effort where the specification has it', async () => {
    const asked = { topP: 0.5, seed: 7, stop: ['END'], reasoningEffort: 'low' };
    const { given } = await call(PLAIN, asked);
    expect(given).toMatchObject({ topP: 0.5, seed: 7, stopSequences: ['END'] });
    expect(given).not.toHaveProperty('reasoning');
    const mock = new MockLanguageModelV3({ doGenerate: PLAIN });
    const newer = Object.assign(mock, { specificationVersion: 'v4' as const });
    await createModels([fromAiSdk(newer as unknown as AiSdkLanguageModel)], {}).call(request(asked));
    expect(mock.doGenerateCalls[0]).toMatchObject({ reasoning: 'low' });
  });

  const api = (more: object) =>
    new APICallError({ message: 'It failed.', url: 'https://acme.example', requestBodyValues: {}, ...more });

  test.each<[string, unknown, string]>([
    ['no key', new LoadAPIKeyError({ message: 'ACME_API_KEY is missing' }), 'Unauthorized'],
    ['no such model', new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), 'NotFound'],
    ['what it cannot', new UnsupportedFunctionalityError({ functionality: 'tools' }), 'BadRequest'],
    ['an answer of another form', new TypeValidationError({ value: {}, cause: new Error('x') }), 'Empty'],
    ['no connection', api({ isRetryable: true, cause: new Error('read ECONNRESET') }), 'Unavailable'],
    ['half of an answer', api({ statusCode: 200, responseBody: '{"choices":[{"mess' }), 'Interrupted'],
    ['an answer without a reply', api({ statusCode: 200, responseBody: '{}' }), 'Empty'],
    ['status 529', api({ statusCode: 529, data: { error: { type: 'overloaded_error' } } }), 'Unavailable'],
    [
      'a prompt that is too long',
      api({ statusCode: 400, message: 'prompt is too long: 210000 tokens' }),
      'ContextLength',
    ],
    ['a reply that ended in an error', { ...PLAIN, finishReason: { unified: 'error' } }, 'Unavailable'],
    ['a reply that was interrupted', { ...PLAIN, finishReason: { unified: 'interrupted' } }, 'Interrupted'],
    ['no reply', undefined, 'InvalidReply'],
    ['content that is no list', { ...PLAIN, content: 'x' }, 'InvalidReply'],
    ['another error', new Error('x is not a function'), 'StepFailed'],
  ])('%s is the failure that it is', async (_name, result, type) => {
    expect(await failureBy(result)).toBe(type);
  });

  test('texts beyond what a model embeds at once go in several calls', async () => {
    const mock = new MockEmbeddingModelV3({
      modelId: 'vectors-1',
      maxEmbeddingsPerCall: 2,
      doEmbed: ({ values }) =>
        Promise.resolve({
          embeddings: values.map((text) => [text.length]),
          usage: { tokens: values.length },
          warnings: [],
        }),
    });
    const models = createModels([{ name: 'm', call: () => Promise.resolve({ text: 'x' }) }, fromAiSdk(mock)], {});
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    const { vectors, usage } = await models.embed({ ...request(), model: 'vectors-1', texts });
    expect(vectors).toEqual([[1], [2], [3], [4], [5]]);
    expect(usage.promptTokens).toBe(5);
    expect(mock.doEmbedCalls.map(({ values }) => values)).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']]);
  });

  test.each<unknown>([undefined, { embeddings: 'x' }, { embeddings: [['x']] }])(
    'embeddings of another form are a failure: %j',
    async (result) => {
      const mock = new MockEmbeddingModelV3({ doEmbed: () => Promise.resolve(result as never) });
      const models = createModels(
        [{ name: 'm', call: () => Promise.resolve({ text: 'x' }) }, fromAiSdk(mock, { name: 'v' })],
        {},
      );
      const asked = models.embed({ ...request(), model: 'v', texts: ['a'] }).catch((error: unknown) => error);
      expect(modelFailureType(await asked)).toBe('InvalidReply');
    },
  );
});
