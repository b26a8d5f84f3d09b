import { toApplicationFailure } from '../../../src/activities/failures';
import { createModels, type ModelsOptions, type WorkerModels } from '../../../src/lib/models';
import type { ChatReply, ChatRequest, ModelConfig } from '../../../src/lib/models/types';
import { askedAbout, paidCalls, requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../../../src/apps/testing/scripted-model/server';

describe('replies that are made in the background', () => {
  let server: ScriptedOpenAI;
  let models: WorkerModels;
  const began: string[] = [];
  afterEach(() => server.close().catch(() => undefined));

  async function start(
    script: ScriptEntry[],
    responses: ScriptedServerOptions['responses'] = 'background',
    more: { config?: Partial<ModelConfig>; options?: ModelsOptions } = {},
  ): Promise<void> {
    began.splice(0);
    server = await ScriptedOpenAI.start({ script, responses });
    const config = { name: 'm', model: 'm-1', baseUrl: server.baseUrl, background: true, ...more.config };
    models = createModels([config], {}, more.options);
  }
  const call = (id?: string, isWanted = true, more: Partial<ChatRequest> = {}): Promise<ChatReply> =>
    models.call({
      messages: [{ role: 'user', content: 'Write.' }],
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      background: {
        ...(id === undefined ? {} : { id }),
        began: (response) => began.push(response),
        isWanted: () => Promise.resolve(isWanted),
      },
      ...more,
    });
  const failure = (...given: Parameters<typeof call>) =>
    call(...given).then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => toApplicationFailure(error, { attempt: 1, random: () => 0 }),
    );
  const created = () => requestsOf(server.ledger).filter(({ path }) => path?.endsWith('/responses'));
  const chats = () => requestsOf(server.ledger).filter(({ path }) => path?.endsWith('/chat/completions'));
  const fetched = () => askedAbout(server.ledger, 'fetched');
  const cancelled = () => askedAbout(server.ledger, 'cancelled');

  test('the id is told at once, and the reply is fetched by it when it is ready', async () => {
    const prices = { inputPerMillion: 1, outputPerMillion: 10 };
    const entry = { reply: 'a poem', usage: { prompt: 100, completion: 20 }, delayMs: 1_500 };
    await start([entry], 'background', { config: { prices } });
    const reply = await call(undefined, true, { temperature: 0.5, maxTokens: 3 });
    const usage = { promptTokens: 100, completionTokens: 20, totalTokens: 120, modelCalls: 1, usd: 0.0003 };
    expect(reply).toEqual({ text: 'a poem', cutOff: false, usage });
    expect(began).toEqual(['resp_scripted_1']);
    expect(created().map(({ body }) => body)).toEqual([
      expect.objectContaining({
        model: 'm-1',
        input: [{ role: 'user', content: 'Write.' }],
        background: true,
        store: true,
        temperature: 0.5,
        max_output_tokens: 16,
      }),
    ]);
    const states = fetched().map(({ state }) => state);
    expect(states[0]).toBe('in_progress');
    expect(states.indexOf('completed')).toBe(states.length - 1);
    expect(states.length).toBeLessThanOrEqual(4);
    expect(chats()).toEqual([]);
    expect(cancelled()).toEqual([]);
  });

  test('a reply of a schema is asked for', async () => {
    await start([{ reply: { ok: true } }]);
    await call(undefined, true, { reply: { name: 'verdict', schema: { type: 'object' } } });
    const format = { type: 'json_schema', name: 'verdict', schema: { type: 'object' }, strict: true };
    expect(created()[0]!.body).toMatchObject({ text: { format } });
  });

  test('an id from an earlier attempt is picked up: nothing is paid for again', async () => {
    await start([{ reply: 'a poem', delayMs: 600 }]);
    await failure(undefined, true, { timeoutMs: 100 });
    expect((await call('resp_scripted_1')).text).toBe('a poem');
    expect(created()).toHaveLength(1);
    expect(paidCalls(server.ledger)).toHaveLength(1);
  });

  test.each<[string, ScriptEntry]>([
    ['failed', { failed: { code: 'server_error', message: 'oops' } }],
    ['is empty', { reply: '' }],
  ])('a response that %s is not picked up again', async (_name, entry) => {
    await start([entry, { reply: 'a poem' }]);
    await failure();
    expect((await call('resp_scripted_1')).text).toBe('a poem');
    expect(began).toEqual(['resp_scripted_1', 'resp_scripted_2']);
  });

  test('a response that the provider forgot is made again', async () => {
    await start([{ reply: 'a poem' }]);
    expect((await call('resp_unknown')).text).toBe('a poem');
    expect(created()).toHaveLength(1);
  });

  test.each<[string, ScriptEntry, string, boolean]>([
    ['a refusal', { refusal: 'no' }, 'Refused', false],
    ['a filtered reply', { reply: 'x', finishReason: 'content_filter' }, 'Filtered', false],
    ['an empty reply', { reply: '' }, 'Empty', true],
    ['a server error', { failed: { code: 'server_error', message: 'oops' } }, 'Unavailable', true],
    ['a rate limit', { failed: { code: 'rate_limit_exceeded', message: 'slow' } }, 'RateLimited', true],
    ['a bad prompt', { failed: { code: 'invalid_prompt', message: 'bad' } }, 'BadRequest', false],
    ['a question that is not answered', { reply: 'x', delayMs: 100, failPolls: 1 }, 'Unavailable', true],
    ['a creation that is refused', { status: 429 }, 'RateLimited', true],
    ['a model that is not there', { status: 404, error: { code: 'model_not_found' } }, 'NotFound', false],
  ])('%s', async (_name, entry, type, retried) => {
    await start([entry]);
    expect(await failure()).toMatchObject({ type: `Model.${type}`, nonRetryable: !retried });
    expect(chats()).toEqual([]);
  });

  test('a reply that was cut off at its limit is a reply', async () => {
    await start([{ reply: 'and so', finishReason: 'length' }]);
    expect(await call()).toMatchObject({ text: 'and so', cutOff: true });
  });

  test('one that takes longer than the call may is left running, and asked for again soon', async () => {
    await start([{ fault: 'hang' }], 'background', { options: { circuitBreaker: { failures: 1 } } });
    expect(await failure(undefined, true, { timeoutMs: 200 })).toMatchObject({
      type: 'Model.Timeout',
      nonRetryable: false,
      nextRetryDelay: 100,
    });
    expect(cancelled()).toEqual([]);
    // A provider that says that it is working is not down.
    expect(models.circuitStates()).toMatchObject([{ state: 'closed' }]);
  });

  test('one that nobody will come for is cancelled', async () => {
    await start([{ fault: 'hang', times: 2 }]);
    await failure(undefined, false, { timeoutMs: 200 });
    expect(cancelled()).toMatchObject([{ response: 'resp_scripted_1', state: 'cancelled' }]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await failure(undefined, false, { signal: controller.signal });
    expect(cancelled()).toHaveLength(2);
  });

  test.each([404, 405, 501] as const)(
    'an endpoint that answers %d is called as ever, with a warning',
    async (status) => {
      await start([{ reply: 'a poem', times: 2 }], status);
      const warnings = [expect.stringMatching(/no background responses/)];
      expect(await call()).toMatchObject({ text: 'a poem', warnings });
      expect(await call()).toMatchObject({ text: 'a poem', warnings });
      expect([created().length, chats().length]).toEqual([1, 2]);
    },
  );

  test('a model that is not told to is not called in the background', async () => {
    await start([{ reply: 'a poem' }], 'background', { config: { background: false } });
    const reply = await call();
    expect([created().length, chats().length]).toEqual([0, 1]);
    expect(reply).not.toHaveProperty('warnings');
  });
});
