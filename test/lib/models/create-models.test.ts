import { inspect } from 'node:util';
import { createModels } from '../../../src/lib/models';
import type { ChatRequest, ModelConfig } from '../../../src/lib/models/types';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { Script } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';

const KEY = 'a-very-secret-value';

function request(more: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: 'user' as const, content: 'Write.' }];
  return { messages, timeoutMs: 5_000, signal: new AbortController().signal, ...more };
}

describe('models', () => {
  let server: ScriptedOpenAI | undefined;
  const start = async (script: Script) => {
    await server?.close();
    server = await ScriptedOpenAI.start({ keepAuthorization: true, script });
    return server;
  };
  afterEach(() => server?.close().catch(() => undefined));

  async function call(script: Script, config: Partial<ModelConfig> = {}, more: Partial<ChatRequest> = {}) {
    const { baseUrl } = await start(script);
    return createModels([{ name: 'm', model: 'm-1', baseUrl, ...config }], { OPENAI_API_KEY: KEY }).call(request(more));
  }
  const sent = () => requestsOf(server!.ledger)[0];

  test.each([false, true])('a reply has text and costs what its tokens cost (streamed: %p)', async (stream) => {
    const prices = { inputPerMillion: 1, outputPerMillion: 10 };
    const reply = await call([{ reply: 'Größe', usage: { prompt: 100, completion: 20 } }], { stream, prices });
    const usage = { promptTokens: 100, completionTokens: 20, totalTokens: 120, modelCalls: 1, usd: 0.0003 };
    expect(reply).toEqual({ text: 'Größe', cutOff: false, usage });
    expect(sent()?.body).toMatchObject({ model: 'm-1', messages: [{ role: 'user', content: 'Write.' }] });
    expect(sent()?.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each<[unknown]>([['8MB'], [0], [1.5], [NaN], [Infinity], [2 ** 40], [null]])(
    'maxReplyBytes %p is refused',
    (most) => {
      const config = { name: 'm', model: 'm', maxReplyBytes: most } as ModelConfig;
      expect(() => createModels([config], {})).toThrow(
        /maxReplyBytes of the model "m" must be a whole number of bytes/,
      );
      expect(() => createModels([{ ...config, maxReplyBytes: 1_024 }], {})).not.toThrow();
    },
  );

  test.each<[string, ModelConfig[], NodeJS.ProcessEnv, RegExp]>([
    ['of a model', [{ name: 'm', model: 'm', baseUrl: 'https://me:secret@host/v1' }], {}, /baseUrl of the model "m"/],
    ['of the environment', [], { OPENAI_BASE_URL: 'https://me:secret@host/v1' }, /^OPENAI_BASE_URL has/],
    ['with a name alone', [], { OPENAI_BASE_URL: 'https://secret@host/v1' }, /^OPENAI_BASE_URL has/],
  ])('an address with a password is refused at the start, and not shown: %s', (_name, configs, env, message) => {
    const make = () => createModels(configs, env);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/secret/);
  });

  test('the price is unknown without prices', async () => {
    expect((await call([{ reply: 'x' }])).usage.usd).toBeNull();
  });

  test('headers, query, fields of its own and how words are chosen are those of the model, or of the call', async () => {
    const config = {
      headers: { 'x-caller': 'the team' },
      query: { 'api-version': '7' },
      extraBody: { chat_template_kwargs: { enable_thinking: false }, model: 'another' },
      seed: 1,
      topP: 0.5,
      reasoningEffort: 'low',
    };
    await call([{ reply: 'x' }], config, { seed: 2, stop: ['END'] });
    expect(sent()).toMatchObject({ caller: 'the team', path: '/v1/chat/completions?api-version=7' });
    expect(sent()?.body).toMatchObject({
      model: 'm-1',
      chat_template_kwargs: { enable_thinking: false },
      seed: 2,
      top_p: 0.5,
      stop: ['END'],
      reasoning_effort: 'low',
    });
  });

  test.each(['headers', 'query'])('no error shows the values of its %s', async (where) => {
    const value = 'another-secret-value';
    const script = [{ status: 400, error: { message: `bad credential ${value}` } }];
    const failing = call(script, { [where]: { 'x-api-key': value } });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: 5 })).toContain('bad credential');
    expect(inspect(error, { depth: 5 })).not.toContain(value);
  });

  test('a reply of a schema is asked for, except where the model has no structured output', async () => {
    const reply = { name: 'verdict', schema: { type: 'object' } };
    await call([{ reply: {} }], {}, { reply });
    expect(sent()?.body?.response_format).toEqual({ type: 'json_schema', json_schema: { ...reply, strict: true } });
    await call([{ reply: {} }], { structuredOutput: false }, { reply });
    expect(sent()?.body?.response_format).toBeUndefined();
  });

  test.each([false, true])(
    'finish_reason length is a reply that was cut off, even an empty one (streamed: %p)',
    async (stream) => {
      expect(await call([{ reply: '', finishReason: 'length' }], { stream })).toMatchObject({ text: '', cutOff: true });
    },
  );

  test.each([
    ['Refused', { refusal: 'I will not.' }],
    ['Filtered', { reply: '', finishReason: 'content_filter' as const }],
    ['Empty', { reply: ' \n' }],
  ])('%s is an error that says what it cost, streamed or not', async (kind, entry) => {
    for (const stream of [false, true]) {
      const failure = expect.objectContaining({
        kind,
        usage: expect.objectContaining({ modelCalls: 1 }) as unknown,
      }) as unknown;
      await expect(call([entry], { stream })).rejects.toEqual(failure);
    }
  });

  test('exactly one call is made, whatever the answer', async () => {
    await expect(call([{ status: 500, times: 'always' }])).rejects.toMatchObject({ status: 500 });
    expect(requestsOf(server!.ledger)).toHaveLength(1);
  });

  test.each([false, true])('a reply that stalls in the middle ends at the timeout (streamed: %p)', async (stream) => {
    const stalled = call([{ fault: 'stall', reply: 'half of this' }], { stream }, { timeoutMs: 200 });
    await expect(stalled).rejects.toThrow('No whole reply within 200 ms');
  });

  test.each([false, true])(
    'a cancelled call ends with the reason of its signal, and closes (streamed: %p)',
    async (stream) => {
      const controller = new AbortController();
      const stopped = call([{ fault: 'stall', reply: 'half of this' }], { stream }, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('the run was cancelled')), 150);
      await expect(stopped).rejects.toThrow('the run was cancelled');
      await expect(call([], {}, { signal: controller.signal })).rejects.toThrow('the run was cancelled');
    },
  );

  describe('names', () => {
    test('without configuration any name goes to OPENAI_BASE_URL, OPENAI_MODEL when there is none', async () => {
      const { baseUrl } = await start([{ reply: 'x', times: 3 }]);
      const models = createModels([], { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'from-env' });
      expect(models.problem('anything')).toBeUndefined();
      expect(models.problem('{{ state.model }}')).toMatch(/template/);
      await models.call(request({ model: 'anything' }));
      await models.call(request());
      await createModels([], { OPENAI_BASE_URL: baseUrl }).call(request());
      expect(requestsOf(server!.ledger).map(({ body }) => body?.model)).toEqual([
        'anything',
        'from-env',
        'gpt-4o-mini',
      ]);
    });

    test('with configurations only their names are known', async () => {
      const models = createModels(
        [
          { name: 'fast', model: 'a' },
          { name: 'deep', model: 'b' },
        ],
        {},
      );
      expect(models.problem(undefined)).toBeUndefined();
      expect(models.problem('fast')).toBeUndefined();
      expect(models.problem('slow')).toMatch(/"slow".*fast, deep/);
      await expect(models.call(request({ model: 'slow' }))).rejects.toMatchObject({ name: 'UnknownModelError' });
    });

    test('a name is given once', () => {
      expect(() =>
        createModels(
          [
            { name: 'm', model: 'a' },
            { name: 'm', model: 'b' },
          ],
          {},
        ),
      ).toThrow('"m"');
    });
  });

  describe('keys', () => {
    test('without a key the error names the variable, and nothing is sent', async () => {
      await expect(createModels([], {}).call(request())).rejects.toThrow('OPENAI_API_KEY');
      const own = createModels([{ name: 'm', model: 'a', apiKeyVariable: 'MY_KEY' }], {});
      await expect(own.call(request())).rejects.toThrow('MY_KEY');
    });

    test('a server of one’s own needs none', async () => {
      const { baseUrl } = await start([{ reply: 'x' }]);
      await expect(createModels([], { OPENAI_BASE_URL: baseUrl }).call(request())).resolves.toMatchObject({
        text: 'x',
      });
    });

    test.each([401, 400, 429, 500])(
      'no error of status %p carries the key, even when the provider quotes it',
      async (status) => {
        const { baseUrl } = await start([{ status, error: { message: `Incorrect API key provided: ${KEY}.` } }]);
        const config = { name: 'm', model: 'm-1', baseUrl, apiKeyVariable: 'CREDENTIAL' };
        const error: unknown = await createModels([config], { CREDENTIAL: KEY })
          .call(request())
          .catch((thrown: unknown) => thrown);
        expect(inspect(error, { depth: 10, showHidden: true })).toContain('Incorrect API key provided');
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
      },
    );
  });
});
