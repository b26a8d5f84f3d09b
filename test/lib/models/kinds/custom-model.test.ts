import { inspect } from 'node:util';
import { CancelledFailure } from '@temporalio/common';
import { modelFailureType, toApplicationFailure } from '../../../../src/activities/failures';
import { createModels } from '../../../../src/lib/models';
import type { CustomModel, ModelReply, ModelRequest } from '../../../../src/lib/models/own/custom-model';
import { ModelCallError } from '../../../../src/lib/models/own/model-call-error';
import type { ChatRequest } from '../../../../src/lib/models/types';
import { embedderOf } from '../../../../src/worker/embedder';

const reply = (text: string): Promise<ModelReply> => Promise.resolve({ text });

function request(more: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: 'user' as const, content: 'Write.' }];
  return { messages, timeoutMs: 5_000, signal: new AbortController().signal, ...more };
}

/** What is thrown by a call of a model whose code does this. */
function thrownBy(call: (request: ModelRequest) => unknown, more: Partial<ChatRequest> = {}): Promise<unknown> {
  return createModels([{ name: 'm', call: call as CustomModel['call'] } as CustomModel], {})
    .call(request(more))
    .then(
      (value) => Promise.reject(new Error(`the call succeeded: ${JSON.stringify(value)}`)),
      (error: unknown) => error,
    );
}

const failureOf = (error: unknown) => toApplicationFailure(error, { attempt: 3, random: () => 0 });

describe('a model of the owner’s', () => {
  test('is refused at the start if it is no model, with all that is wrong', () => {
    const make = (model: object) => () => createModels([model as CustomModel], {});
    expect(make({ name: 'm', call: 'https://…' })).toThrow(/^the model "m": \/call: expected a function$/);
    expect(make({ name: '', call: reply, prices: { inputPerMillion: -1 } })).toThrow(
      /the model "": \/name: .*; \/prices\/inputPerMillion: .*; \/prices\/outputPerMillion: /,
    );
    expect(make({ call: reply })).toThrow(/^the model without a name: \/name: /);
    expect(make({ name: 'm', call: undefined })).toThrow('has neither `call` nor `embed`');
    expect(make({ name: 'm', call: reply })).not.toThrow();
  });

  test('may be an instance of a class, and stands beside endpoints', async () => {
    class Counting {
      readonly name = 'counting';
      #calls = 0;
      call(): Promise<ModelReply> {
        this.#calls += 1;
        return reply(`call ${this.#calls}`);
      }
    }
    const models = createModels(
      [new Counting(), { name: 'far', model: 'far-1', baseUrl: 'http://127.0.0.1:1/v1' }],
      {},
    );
    expect((await models.call(request())).text).toBe('call 1');
    expect((await models.call(request({ model: 'counting' }))).text).toBe('call 2');
    expect(models.problem('near')).toBe('model "near" is not configured on this worker; it has counting, far');
  });

  test('that refuses a suggested temperature is called without it, then and later; warnings of it reach nobody', async () => {
    const seen: (number | undefined)[][] = [];
    const call = ({ temperature, seed }: ModelRequest): Promise<ModelReply> => {
      seen.push([temperature, seed]);
      if (temperature !== undefined) throw new ModelCallError('BadRequest', "'temperature' does not support 0.");
      const warnings = ['the model: unsupported-setting: seed', 'the model: slow'];
      return Promise.resolve({ text: 'x', warnings, usage: { promptTokens: 1, completionTokens: 1 } });
    };
    const models = createModels([{ name: 'm', call }], {});
    const suggested = { temperature: 0, seed: 2, suggested: ['temperature', 'seed'] as const };
    expect((await models.call(request(suggested))).warnings).toEqual(['the model: slow']);
    expect((await models.call(request({ seed: 2 }))).warnings).toHaveLength(2);
    await models.call(request(suggested));
    expect(seen).toEqual([
      [0, 2],
      [undefined, 2],
      [undefined, 2],
      [undefined, 2],
    ]);
    await expect(models.call(request({ temperature: 0 }))).rejects.toThrow('does not support 0');
  });

  test('that only embeds is no default, and specs may not name it; one that only writes embeds nothing', async () => {
    const embedding: CustomModel = { name: 'vectors', embed: () => Promise.resolve({ vectors: [[1, 2]] }) };
    const models = createModels([embedding, { name: 'writer', call: () => reply('x') }], {});
    expect(models.served.defaultModel).toBe('writer');
    expect(models.problem('vectors')).toBe('model "vectors" only makes embeddings');
    await expect(models.call(request({ model: 'vectors' }))).rejects.toMatchObject({ name: 'UnknownModelError' });
    expect(await embedderOf(models, 'vectors')!.embed(['a'])).toEqual([[1, 2]]);
    expect(() => embedderOf(models, 'writer')).toThrow('model "writer" makes no embeddings');
    expect(() => createModels([embedding], {})).toThrow('no model of this worker can be called: vectors only make');
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /wrong: must be an object, not undefined/],
    ['a text', 'a poem', /must be an object, not a text/],
    ['no text', { finishReason: 'stop' }, /\/text: is required/],
    ['a text that is none', { text: 7 }, /\/text: must be a text, not 7/],
    ['a tool call without a name', { text: '', toolCalls: [{ arguments: {} }] }, /\/toolCalls\/0\/name: is required/],
    ['an unknown end', { text: 'x', finishReason: 7 }, /\/finishReason: must be a text, not 7/],
    ['tokens below zero', { text: 'x', usage: { promptTokens: -1, completionTokens: 2 } }, /\/usage\/promptTokens: /],
    [
      'tokens that are no number',
      { text: 'x', usage: { promptTokens: NaN } },
      /promptTokens.*; \/usage\/completionTokens/,
    ],
    ['a warning that is no text', { text: 'x', warnings: [{}] }, /\/warnings\/0: must be a text, not an object/],
  ])('a reply of another shape is told in plain words, and not asked for again: %s', async (_name, given, message) => {
    const failure = failureOf(await thrownBy(() => Promise.resolve(given)));
    expect(failure).toMatchObject({ type: 'Model.InvalidReply', nonRetryable: true });
    expect(failure.message).toMatch(/^The reply of the model "m" is wrong: /);
    expect(failure.message).toMatch(message);
  });

  test.each<[string, unknown, string]>([
    ['no list', { vectors: 'x' }, 'InvalidReply'],
    ['a number that is none', { vectors: [[NaN]] }, 'InvalidReply'],
    ['an empty one', { vectors: [[]] }, 'InvalidReply'],
    ['too many', { vectors: [[1], [2]] }, 'InvalidReply'],
    ['too few', { vectors: [] }, 'Empty'],
  ])('vectors of another shape are a failure: %s', async (_name, given, type) => {
    const model = { name: 'm', embed: () => Promise.resolve(given), call: () => reply('x') } as unknown as CustomModel;
    const asked = createModels([model], {}).embed({ ...request(), texts: ['a'] });
    expect(modelFailureType(await asked.catch((error: unknown) => error))).toBe(type);
  });

  test('its words about a call reach the version, no more and no longer than a version should have', async () => {
    const warnings = Array.from({ length: 20 }, () => 'w'.repeat(1_000));
    const usage = { promptTokens: 1, completionTokens: 1 };
    const model: CustomModel = { name: 'm', call: () => Promise.resolve({ text: 'x', warnings, usage }) };
    const told = (await createModels([model], {}).call(request())).warnings!;
    expect(told).toHaveLength(10);
    expect(new Set(told)).toEqual(new Set(['w'.repeat(500)]));
  });

  test('arguments of tools may be values; an id that is missing is made', async () => {
    const toolCalls = [
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: 'no JSON' },
      { id: 'c7', name: 'c', arguments: undefined },
    ];
    const model: CustomModel = { name: 'm', call: () => Promise.resolve({ text: '', toolCalls }) };
    const tools = [{ name: 'a', description: '', parameters: {} }];
    expect((await createModels([model], {}).call(request({ tools }))).toolCalls).toEqual([
      { id: 'call00001', name: 'a', arguments: '{"x":1}' },
      { id: 'call00002', name: 'b', arguments: 'no JSON' },
      { id: 'c7', name: 'c', arguments: '{}' },
    ]);
  });

  describe('what it throws', () => {
    test.each<[ModelCallError['type'], boolean]>([
      ['Refused', false],
      ['Filtered', false],
      ['ContextLength', false],
      ['Unauthorized', false],
      ['QuotaExhausted', false],
      ['BadRequest', false],
      ['NotFound', false],
      ['RateLimited', true],
      ['Unavailable', true],
      ['Timeout', true],
      ['Interrupted', true],
      ['Empty', true],
    ])('a ModelCallError of type %s is that failure', async (type, isRetried) => {
      const error = await thrownBy(() => Promise.reject(new ModelCallError(type, 'It says why.')));
      const failure = failureOf(error);
      expect(failure).toMatchObject({ type: `Model.${type}`, message: 'It says why.', nonRetryable: !isRetried });
      expect((failure as { nextRetryDelay?: number }).nextRetryDelay ?? undefined).toBe(isRetried ? 4_000 : undefined);
    });

    test('a ModelCallError says when to come back, and what it cost', async () => {
      const usage = { promptTokens: 7, completionTokens: 0 };
      const thrown = new ModelCallError('RateLimited', 'Slow down.', { retryAfterMs: 90_000, usage });
      const error = await thrownBy(() => Promise.reject(thrown));
      expect(failureOf(error)).toMatchObject({ type: 'Model.RateLimited', nextRetryDelay: 90_000 });
      expect(error).toMatchObject({ usage: { promptTokens: 7, totalTokens: 7, modelCalls: 1 } });
      const forever = new ModelCallError('Unavailable', 'Gone.', { retryAfterMs: Infinity });
      expect(failureOf(await thrownBy(() => Promise.reject(forever)))).toMatchObject({ nextRetryDelay: 86_400_000 });
    });

    test('a ModelCallError of a type that there is not is a mistake in the code', async () => {
      const error = await thrownBy(() => Promise.reject(new ModelCallError('Tired' as 'Empty', 'So tired.')));
      expect(failureOf(error)).toMatchObject({ type: 'Model.InvalidReply', nonRetryable: true });
    });

    test.each<[string, object, string, number | undefined]>([
      ['a status', { status: 503 }, 'Unavailable', 4_000],
      ['a statusCode', { statusCode: 401 }, 'Unauthorized', undefined],
      ['headers as an object', { status: 429, headers: { 'Retry-After': '7' } }, 'RateLimited', 7_000],
      ['headers of fetch', { status: 429, headers: new Headers({ 'retry-after-ms': '1500' }) }, 'RateLimited', 1_500],
      ['responseHeaders', { statusCode: 429, responseHeaders: { 'retry-after': '7' } }, 'RateLimited', 7_000],
      ['headers that are none', { status: 429, headers: { 'not a header': 'x\n', other: {} } }, 'RateLimited', 4_000],
      ['a code of its own', { status: 429, code: 'insufficient_quota' }, 'QuotaExhausted', undefined],
      ['a body', { status: 400, error: { error: { code: 'context_length_exceeded' } } }, 'ContextLength', undefined],
      [
        'a body as text',
        { status: 400, body: '{"error":{"message":"prompt is too long"}}' },
        'ContextLength',
        undefined,
      ],
      ['a body that is no JSON', { status: 400, body: '<html>' }, 'BadRequest', undefined],
      ['a status that is none', { status: 200 }, 'StepFailed', undefined],
      ['a reset', { code: 'ECONNRESET' }, 'Unavailable', 4_000],
      ['nobody there', { cause: { code: 'ENOTFOUND' } }, 'Unavailable', 4_000],
      ['a time-out of the connection', { code: 'ETIMEDOUT' }, 'Timeout', 4_000],
      ['an answer that breaks off', { message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } }, 'Interrupted', 4_000],
      ['a limit of time of its own', { name: 'TimeoutError' }, 'Timeout', 4_000],
    ])('an error with %s', async (_name, fields, type, delay) => {
      const error = await thrownBy(() => Promise.reject(Object.assign(new Error('It failed.'), fields)));
      expect(modelFailureType(error)).toBe(type);
      const failure = failureOf(error) as { nonRetryable: boolean; nextRetryDelay?: number };
      expect(failure.nonRetryable).toBe(delay === undefined);
      expect(failure.nextRetryDelay ?? undefined).toBe(delay);
    });

    test.each<[string, () => unknown]>([
      ['an abort of its own', () => new DOMException('aborted', 'AbortError')],
      ['a cancellation that nobody asked for', () => new CancelledFailure('cancelled')],
    ])('%s does not cancel the run', async (_name, make) => {
      const failure = failureOf(await thrownBy(() => Promise.reject(make() as Error)));
      expect(failure).toMatchObject({ type: 'Model.Timeout', nonRetryable: false });
    });

    test.each<[string, () => unknown]>([
      ['at once', () => Reflect.get(undefined as unknown as object, 'x')],
      ['later', () => Promise.reject(new TypeError('x is not a function'))],
    ])('a mistake in its code, %s, is not tried again', async (_name, call) => {
      expect(failureOf(await thrownBy(call))).toMatchObject({ type: 'StepFailed', nonRetryable: true });
    });

    test('shows no secret of the environment', async () => {
      const key = 'a-very-secret-value';
      const model: CustomModel = {
        name: 'm',
        call: () => Promise.reject(Object.assign(new Error(`bad key ${key}`), { status: 401, cause: new Error(key) })),
      };
      const error = await createModels([model], { ANY_API_KEY: key })
        .call(request())
        .catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 10, showHidden: true })).toContain('bad key [redacted]');
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key);
    });
  });

  test('that does not look at its signal is not waited for', async () => {
    const never = () => new Promise(() => undefined);
    const late = await thrownBy(never, { timeoutMs: 50 });
    expect(failureOf(late)).toMatchObject({ type: 'Model.Timeout', message: 'No whole reply within 50 ms.' });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('the run was cancelled')), 20);
    expect(await thrownBy(never, { signal: controller.signal })).toMatchObject({ message: 'the run was cancelled' });
  });

  test('of one provider with others waits with them when it asks for it', async () => {
    let calls = 0;
    const limited = () => {
      calls += 1;
      return Promise.reject(new ModelCallError('RateLimited', 'Slow down.', { retryAfterMs: 60_000 }));
    };
    const models = createModels(
      [
        { name: 'a', provider: 'one', call: limited },
        { name: 'b', provider: 'one', call: limited },
        { name: 'c', call: () => reply('x') },
      ],
      {},
    );
    await expect(models.call(request({ model: 'a' }))).rejects.toThrow('Slow down.');
    await expect(models.call(request({ model: 'b' }))).rejects.toThrow('asked to be left alone');
    expect((await models.call(request({ model: 'c' }))).text).toBe('x');
    expect(calls).toBe(1);
    expect(models.circuitStates().map(({ provider }) => provider)).toEqual(['one', 'c']);
  });

  test('is given what it cannot change for others', async () => {
    const messages = [{ role: 'user' as const, content: 'Write.' }];
    const model: CustomModel = {
      name: 'm',
      call({ messages: given }) {
        given[0]!.content = 'Something else.';
        given.push({ role: 'user', content: 'More.' });
        return reply('x');
      },
    };
    await createModels([model], {}).call(request({ messages }));
    expect(messages).toEqual([{ role: 'user', content: 'Write.' }]);
  });
});
