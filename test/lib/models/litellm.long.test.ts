import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { defaultCacheDirectory } from '../../../src/apps/server';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { createModels } from '../../../src/lib/models';
import { defineAction, type ModelConfig } from '../../../src/worker';
import { type LitellmParams, type LitellmProxy, startLitellm } from '../../../testing/models/litellm/proxy';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { z } from 'zod';

// The first time, its packages are fetched.
jest.setTimeout(600_000);

const usage = { prompt: 70, completion: 7 };
const ORDER = {
  type: 'object',
  required: ['sku', 'quantity'],
  additionalProperties: false,
  properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
};
const drafting: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write the order as JSON.' },
  evaluator: { type: 'schema', schema: ORDER },
  maxIterations: 3,
  timeouts: { retryFor: '20s' },
};
const judged: ReflectionSpec = {
  task: 'Write one sentence about rain.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  evaluator: { type: 'llm', prompt: 'Is it about rain?' },
  maxIterations: 3,
  timeouts: { retryFor: '20s' },
};

/** Models that LiteLLM plays itself. */
const MOCKS: Record<string, LitellmParams> = {
  order: { mock_response: '{"sku": "KM-2041", "quantity": 3}' },
  limited: { mock_response: 'litellm.RateLimitError' },
  window: { mock_response: 'litellm.ContextWindowExceededError' },
  broken: { mock_response: 'litellm.InternalServerError' },
  filtered: { model: 'azure/filtered', mock_response: 'Exception: content_filter_policy' },
  slow: { mock_timeout: true, timeout: 0.2 },
  vectors: { mock_response: [0.5, 0.25] },
};

describe('LiteLLM’s proxy', () => {
  let upstream: ScriptedOpenAI;
  let refusing: ScriptedOpenAI;
  let proxy: LitellmProxy;
  let world: LoopWorld;
  const looked: string[] = [];
  const lookUp = defineAction({
    name: 'look_up',
    description: 'Where an order is.',
    input: z.object({ order: z.string() }),
    run({ order }) {
      looked.push(order);
      return 'It is in Bremen.';
    },
  });
  const configOf = (model: string, more: Partial<ModelConfig> = {}): ModelConfig => ({
    name: model,
    model,
    baseUrl: proxy.baseUrl,
    apiKeyVariable: 'LITELLM_KEY',
    ...more,
  });

  beforeAll(async () => {
    upstream = await ScriptedOpenAI.start({ script: [] });
    refusing = await ScriptedOpenAI.start({ script: [], habits: { refuses: { response_format: 400 }, tells: 'name' } });
    const mocks = Object.entries(MOCKS).map(([name, params]) => [name, { model: `openai/${name}`, ...params }]);
    proxy = await startLitellm(
      {
        ...Object.fromEntries(mocks),
        scripted: { model: 'openai/scripted-1', api_base: upstream.baseUrl },
        refusing: { model: 'openai/scripted-2', api_base: refusing.baseUrl },
      },
      defaultCacheDirectory(),
    );
    process.env['LITELLM_KEY'] = proxy.key;
    process.env['WRONG_KEY'] = 'sk-wrong';
    const models = [
      ...[...Object.keys(MOCKS), 'scripted', 'refusing', 'unknown'].map((name) => configOf(name)),
      configOf('scripted', { name: 'streamed', stream: true }),
      configOf('order', { name: 'stranger', apiKeyVariable: 'WRONG_KEY' }),
    ];
    world = await startWorld({ models, actions: [lookUp] });
  });
  afterAll(async () => {
    await world?.close();
    await proxy?.stop();
    await refusing?.close();
    await upstream?.close();
  });

  const play = (server: ScriptedOpenAI, script: ScriptEntry[]): (() => ReturnType<typeof requestsOf>) => {
    const before = server.ledger.length;
    server.play(script);
    return () => requestsOf(server.ledger.slice(before));
  };

  test.each([
    ['scripted', undefined],
    ['streamed', true],
  ])('a judged loop is revised and passes, and counts what the provider counts (%s)', async (model, stream) => {
    const sent = play(upstream, [
      { reply: 'It is dry.', usage },
      { reply: { valid: false, score: 0.1, reason: 'no rain', issues: ['it is not about rain'] }, usage },
      { reply: 'Rain falls on the roof.', usage },
      { reply: { valid: true, score: 0.9, reason: 'rain', issues: [] }, usage },
    ]);
    const result = await world.client.run({ ...judged, model });
    upstream.assertDone();
    expect(result).toMatchObject({
      convergenceReason: 'quality_met',
      finalOutput: 'Rain falls on the roof.',
      tokenUsage: { modelCalls: 4, promptTokens: 280, completionTokens: 28 },
    });
    const [draft, judgement] = sent();
    expect(draft!.body!.stream).toBe(stream);
    expect(judgement!.body).toHaveProperty('response_format.json_schema.schema.properties.code');
  });

  test('structured output: the schema of the loop reaches the provider, and the reply is its value', async () => {
    const sent = play(upstream, [
      { reply: { sku: 'KM-2041', quantity: 0 }, usage },
      { reply: { sku: 'KM-2041', quantity: 3 }, usage },
    ]);
    const revision = { strategy: 'full_rewrite' as const };
    const result = await world.client.run({ ...drafting, revision, model: 'scripted' });
    expect(result).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2 });
    const format = { type: 'json_schema', json_schema: expect.objectContaining({ schema: ORDER }) };
    expect(sent().map(({ body }) => body!.response_format)).toEqual([format, format]);
    const played = await world.client.run({ ...drafting, model: 'order' });
    expect(played).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 1 });
  });

  test('a provider behind it that refuses the schema is told it in words, and asked so from then on', async () => {
    const reply = { reply: { sku: 'KM-2041', quantity: 3 }, usage };
    const sent = play(refusing, [reply, reply]);
    const first = await world.client.run({ ...drafting, model: 'refusing' });
    expect(first).toMatchObject({ convergenceReason: 'quality_met', tokenUsage: { modelCalls: 1 } });
    expect(JSON.stringify(first.history.versions)).toContain('response_format');
    await world.client.run({ ...drafting, model: 'refusing' });
    expect(sent().map(({ body }) => body!.response_format !== undefined)).toEqual([true, false, false]);
  });

  test('a model behind it calls actions as tools', async () => {
    play(upstream, [
      { toolCalls: [{ name: 'look_up', arguments: { order: 'A-1' } }] },
      { reply: 'It rains in Bremen.', usage },
      { reply: { valid: true, score: 0.9, reason: 'rain', issues: [] }, usage },
    ]);
    const generator = { action: 'llm.call', prompt: '{{ task }}', tools: ['look_up'] } as const;
    const result = await world.client.run({ ...judged, generator, model: 'scripted' });
    upstream.assertDone();
    expect(result).toMatchObject({ success: true, finalOutput: 'It rains in Bremen.' });
    expect(looked).toEqual(['A-1']);
  });

  test.each([
    ['limited', 'Model.RateLimited', true],
    ['broken', 'Model.Unavailable', true],
    ['slow', 'Model.Timeout', true],
    ['window', 'Model.ContextLength', false],
    ['filtered', 'Model.Filtered', false],
    ['stranger', 'Model.Unauthorized', false],
    ['unknown', 'Model.BadRequest', false],
  ])('%s is %s', async (model, type, isTriedAgain) => {
    const started = await world.client.start({ ...drafting, model, timeouts: { retryFor: '3s' } });
    await expect(started.result()).rejects.toMatchObject({ type });
    const { events } = await world.client.temporal.workflow.getHandle(started.workflowId).fetchHistory();
    const attempts = events!.flatMap(({ activityTaskStartedEventAttributes: each }) => (each ? [each.attempt!] : []));
    expect(Math.max(...attempts) > 1).toBe(isTriedAgain);
  });

  test('what the provider says of when to come again is kept', async () => {
    const limit = { status: 429, headers: { 'retry-after': '3' }, error: { message: 'Slow down.' } };
    const before = upstream.ledger.length;
    play(upstream, [limit, { reply: { sku: 'KM-2041', quantity: 3 }, usage }]);
    expect(await world.client.run({ ...drafting, model: 'scripted' })).toMatchObject({ success: true });
    const [first, second] = requestsOf(upstream.ledger.slice(before));
    expect(second!.at - first!.at).toBeGreaterThan(2_900);
  });

  test('embeddings: vectors that it plays, and those of a provider behind it', async () => {
    const { embed } = createModels([configOf('vectors'), configOf('scripted')], process.env);
    const request = { texts: ['rain', 'snow'], timeoutMs: 10_000, signal: new AbortController().signal };
    expect((await embed({ ...request, texts: ['rain'], model: 'vectors' })).vectors).toEqual([[0.5, 0.25]]);
    // It plays one vector, however many texts it gets.
    await expect(embed({ ...request, model: 'vectors' })).rejects.toMatchObject({ kind: 'Empty' });
    play(upstream, [
      {
        vectors: [
          [1, 0],
          [0, 1],
        ],
      },
    ]);
    const { vectors, usage: paid } = await embed({ ...request, model: 'scripted' });
    expect(vectors).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(paid.promptTokens).toBeGreaterThan(0);
  });
});
