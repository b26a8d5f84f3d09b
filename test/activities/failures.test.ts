import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { APIConnectionError, APIUserAbortError } from 'openai';
import { toApplicationFailure } from '../../src/activities/failures';
import { createModels } from '../../src/lib/models';
import type { ChatRequest } from '../../src/lib/models/types';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { PERMANENT_FAILURES, RETRIED_FAILURES } from '../../testing/model-kinds/failure-rows';
import { PROXIED } from './proxied-failures';

/** The third attempt: 1 s, 2 s, 4 s. Without jitter. */
const context = { attempt: 3, random: () => 0 };

async function errorOf(baseUrl: string, config = {}, more: Partial<ChatRequest> = {}): Promise<unknown> {
  const messages = [{ role: 'user' as const, content: 'Write.' }];
  const signal = new AbortController().signal;
  return createModels([{ name: 'm', model: 'm', baseUrl, ...config }], {})
    .call({ messages, timeoutMs: 5_000, signal, ...more })
    .then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => error,
    );
}

async function withServer<Result>(script: ScriptEntry[], work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  const server = await ScriptedOpenAI.start({ script });
  try {
    return await work(server.baseUrl);
  } finally {
    await server.close().catch(() => undefined);
  }
}

function failureOf(error: unknown, more = {}): ApplicationFailure {
  const failure = toApplicationFailure(error, { ...context, ...more });
  if (!(failure instanceof ApplicationFailure)) throw new Error(`not an ApplicationFailure: ${String(failure)}`);
  return failure;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the failures of model calls, over HTTP', () => {
  const rows = Object.entries({ ...PERMANENT_FAILURES, ...PROXIED, ...RETRIED_FAILURES });
  test.each(rows)('%s', async (_name, { entry, type, delay, stream = false, timeoutMs = 5_000 }) => {
    const error = await withServer([entry], (baseUrl) => errorOf(baseUrl, { stream }, { timeoutMs }));
    const failure = failureOf(error);
    expect(failure).toMatchObject({ type: `Model.${type}`, nonRetryable: delay === undefined });
    expect(failure.nextRetryDelay ?? undefined).toBe(delay);
    expect(failure.cause).toBeUndefined();
  });

  test('a Retry-After date is waited for, and not left early', async () => {
    const entry = { status: 429, retryAfterDateMs: 20_000 };
    const before = Date.now();
    const error = await withServer([entry], (baseUrl) => errorOf(baseUrl));
    const delay = Number(failureOf(error, { now: before }).nextRetryDelay);
    expect(delay).toBeGreaterThanOrEqual(20_000);
    expect(delay).toBeLessThanOrEqual(22_000);
    expect(failureOf(error, { now: before + 60_000 }).nextRetryDelay).toBe(4_000);
  });

  test('a closed port is an error without a status, and is retried', async () => {
    const error = await errorOf(`http://127.0.0.1:${await closedPort()}/v1`);
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(failureOf(error)).toMatchObject({ type: 'Model.Unavailable', nonRetryable: false, nextRetryDelay: 4_000 });
  });

  test('a script that ran out is not retried', async () => {
    const error = await withServer([], (baseUrl) => errorOf(baseUrl));
    expect(failureOf(error)).toMatchObject({ type: 'Model.BadRequest', nonRetryable: true });
  });

  test('finish_reason length is no failure', async () => {
    const entry = { reply: 'and so', finishReason: 'length' as const };
    await expect(withServer([entry], (baseUrl) => errorOf(baseUrl))).rejects.toThrow('the call succeeded');
  });

  test('an address without a model is not retried', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' };
    const error = await withServer([page], (baseUrl) => errorOf(baseUrl));
    expect(failureOf(error)).toMatchObject({ type: 'Model.NotFound', nonRetryable: true });
  });

  test.each([
    [{ code: 429, message: 'slow down' }, 'RateLimited'],
    [{ code: 502, message: 'no upstream' }, 'Unavailable'],
    [{ code: 'context_length_exceeded' }, 'ContextLength'],
    [{ code: 'insufficient_quota' }, 'QuotaExhausted'],
    [{ type: 'server_error' }, 'Interrupted'],
  ])('an error with status 200, as gateways and streams send it: %j', async (error, type) => {
    const answers: [boolean, string, string][] = [
      [false, 'application/json', JSON.stringify({ error })],
      [true, 'text/event-stream', `data: ${JSON.stringify({ error })}\n\n`],
    ];
    for (const [stream, contentType, body] of answers) {
      const entry = { status: 200, headers: { 'content-type': contentType }, body };
      const thrown = await withServer([entry], (baseUrl) => errorOf(baseUrl, { stream }));
      expect(failureOf(thrown).type).toBe(`Model.${type}`);
    }
  });
});

describe('the wait before the next attempt', () => {
  const empty = () => withServer([{ status: 500 }], (baseUrl) => errorOf(baseUrl));

  test('doubles from 1 s to 30 s', async () => {
    const error = await empty();
    const delays = [1, 2, 5, 6, 500].map((attempt) => failureOf(error, { attempt }).nextRetryDelay);
    expect(delays).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
  });

  test('jitter makes a backoff shorter by up to a quarter, and a Retry-After only longer', async () => {
    const random = () => 1;
    expect(failureOf(await empty(), { random }).nextRetryDelay).toBe(3_000);
    const asked = { status: 429, headers: { 'retry-after': '10' } };
    const error = await withServer([asked], (baseUrl) => errorOf(baseUrl));
    expect(failureOf(error, { random }).nextRetryDelay).toBe(11_000);
  });
});

describe('what is no failure of a provider', () => {
  test('a cancelled call stays cancelled, with the reason that Temporal gave', async () => {
    const reason = new CancelledFailure('CANCELLED');
    await withServer([{ fault: 'hang', times: 3 }], async (baseUrl) => {
      for (const stream of [false, true]) {
        const error = await errorOf(baseUrl, { stream }, { signal: abortedSoon(reason) });
        expect(toApplicationFailure(error, context)).toBe(reason);
      }
      const plain = await errorOf(baseUrl, {}, { signal: abortedSoon() });
      expect(toApplicationFailure(plain, context)).toBeInstanceOf(CancelledFailure);
    });
    expect(toApplicationFailure(new APIUserAbortError(), context)).toBeInstanceOf(CancelledFailure);
  });

  test('a missing key is Unauthorized and says which variable to set', async () => {
    const error = await errorOf('', { baseUrl: undefined, apiKeyVariable: 'MY_KEY' });
    const failure = failureOf(error);
    expect(failure).toMatchObject({ type: 'Model.Unauthorized', nonRetryable: true });
    expect(failure.message).toContain('MY_KEY');
  });

  test('a model that only this worker does not know is UnknownModel, and tried again', async () => {
    const error = await errorOf('http://127.0.0.1:9/v1', {}, { model: 'other' });
    expect(failureOf(error)).toMatchObject({ type: 'UnknownModel', nonRetryable: false, nextRetryDelay: 4_000 });
  });

  test.each([[{ toString: 1, valueOf: 1 }], [Object.create(null)], [Symbol('gone')], [undefined]])(
    'whatever is thrown (%#) is a failure that is not retried, even where it makes no text of itself',
    (thrown: unknown) => {
      expect(failureOf(thrown)).toMatchObject({ type: 'StepFailed', nonRetryable: true });
    },
  );

  test('an application failure is not wrapped, and a mistake of ours is not retried', () => {
    const own = ApplicationFailure.nonRetryable('too large', 'OutputTooLarge');
    expect(toApplicationFailure(own, context)).toBe(own);
    expect(failureOf(new RangeError('oops'))).toMatchObject({
      type: 'StepFailed',
      message: 'oops',
      nonRetryable: true,
    });
    expect(failureOf('just text')).toMatchObject({ type: 'StepFailed', message: 'just text', nonRetryable: true });
  });
});

describe('messages', () => {
  test('carry the step and the provider’s words, but no keys and no whole prompts', async () => {
    const message = `key sk-proj-abcdefgh12345678, Bearer abc.def-123: ${'prompt '.repeat(500)}`;
    const error = await withServer([{ status: 400, error: { message } }], (baseUrl) => errorOf(baseUrl));
    const failure = failureOf(error, { step: 'evaluate' });
    expect(failure.message).toMatch(/^evaluate: 400 key \[redacted\], \[redacted\]: prompt/);
    expect(failure.message.length).toBeLessThan(520);
    expect(JSON.stringify(failure) + failure.stack).not.toContain('abcdefgh12345678');
  });
});

function abortedSoon(reason?: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  return controller.signal;
}
