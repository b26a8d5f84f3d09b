import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { modelFailureType, toApplicationFailure } from '../../../../src/activities/failures';
import type { ChatRequest, ModelAttachment } from '../../../../src/lib/models/types';
import type { ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import { PERMANENT_FAILURES, RETRIED_FAILURES } from '../../../../testing/model-kinds/failure-rows';
import { KEY, type KindSettings, openKind, type OpenKind, sha256Of } from '../../../../testing/model-kinds/model-kind';
import { MODEL_KINDS } from '../../../../testing/model-kinds';
import { eventually } from '../../../../testing/support/eventually';

const PRICES = { inputPerMillion: 1, outputPerMillion: 10 };
const REFUSES_PICTURES = 'this model does not support image input';
const TOOL = { name: 'look_up', description: 'Looks up an order.', parameters: { type: 'object', properties: {} } };

/** Rows about streams are those of the kind that streams. */
const FAILURES = Object.entries({ ...PERMANENT_FAILURES, ...RETRIED_FAILURES }).filter(([, { stream }]) => !stream);

const WITH_STATUS_200: [string, { body: string; headers?: Record<string, string> }, string][] = [
  ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }, 'NotFound'],
  ['a limit', { body: '{"error":{"code":429,"message":"slow down"}}' }, 'RateLimited'],
  ['a code', { body: '{"error":{"code":"context_length_exceeded"}}' }, 'ContextLength'],
  ['another error', { body: '{"error":{"type":"server_error"}}' }, 'Interrupted'],
];

describe.each(MODEL_KINDS)('$name', (tested) => {
  const { warnsOfTools, streams, watched, leavesOut = [], tellsLess = {} } = tested;
  const met = <Row extends [string, ...unknown[]]>(rows: Row[]): Row[] =>
    rows.filter(([name]) => !leavesOut.includes(name));
  let kind: OpenKind;
  let watchedText: string;
  afterEach(() => kind.close());

  async function start(script: ScriptEntry[], settings: KindSettings = {}): Promise<void> {
    watchedText = '';
    kind = await openKind(tested, script, settings);
  }

  const call = (more: Partial<ChatRequest> = {}) =>
    kind.models.call({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Write.' },
      ],
      timeoutMs: 5_000,
      signal: new AbortController().signal,
      background: { began: () => undefined, isWanted: () => Promise.resolve(false) },
      ...(watched && { onText: (piece: string) => void (watchedText += piece) }),
      ...more,
    });

  const thrown = (more: Partial<ChatRequest> = {}): Promise<unknown> =>
    call(more).then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => error,
    );

  /** What Temporal is told, at the third attempt, without jitter. */
  async function failure(more: Partial<ChatRequest> = {}): Promise<ApplicationFailure> {
    const made = toApplicationFailure(await thrown(more), { attempt: 3, random: () => 0 });
    if (made instanceof ApplicationFailure) return made;
    throw new Error(`not an ApplicationFailure: ${String(made)}`);
  }

  test('a reply, what was asked, and what it cost', async () => {
    await start([{ reply: 'Größe', usage: { prompt: 100, completion: 20 } }], { prices: PRICES });
    expect(await call({ temperature: 0.5, maxTokens: 30 })).toEqual({
      text: 'Größe',
      cutOff: false,
      usage: { promptTokens: 100, completionTokens: 20, totalTokens: 120, modelCalls: 1, usd: 0.0003 },
    });
    const messages = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Write.' },
    ];
    expect(kind.asked()).toEqual([{ messages, answered: [], tools: [], temperature: 0.5, maxTokens: 30 }]);
    expect(watchedText).toBe(watched ? 'Größe' : '');
  });

  test('money limits the tokens of a reply, and prices may come from the worker’s table', async () => {
    await start([{ reply: 'x' }], { options: { prices: { 'm-1': PRICES } } });
    expect(kind.models.hasPrice('m')).toBe(true);
    await call({ maxUsd: 0.001, maxTokens: 500 });
    expect(kind.asked()).toMatchObject([{ maxTokens: 100 }]);
  });

  test('a reply whose tokens nobody counted has estimated ones, and an estimated price', async () => {
    await start([{ reply: 'x', usage: false }], { prices: PRICES });
    const { usage, warnings } = await call();
    expect(usage).toMatchObject({ modelCalls: 1, completionTokens: 1, estimated: true });
    expect(usage.usd).toBeGreaterThan(0);
    expect(warnings).toContainEqual(expect.stringContaining('estimated'));
  });

  test('a reply that was cut off, even an empty one', async () => {
    await start([
      { reply: 'and so', finishReason: 'length' },
      { reply: '', finishReason: 'length' },
    ]);
    expect(await call()).toMatchObject({ text: 'and so', cutOff: true });
    expect(await call()).toMatchObject({ text: '', cutOff: true });
  });

  test('a schema goes with the call, unless the model takes none', async () => {
    const reply = { name: 'verdict', schema: { type: 'object', properties: {}, additionalProperties: false } };
    await start([{ reply: { good: true } }]);
    expect((await call({ reply })).text).toBe('{"good":true}');
    expect(kind.asked()).toMatchObject([{ schema: reply.schema }]);
    await kind.close();
    await start([{ reply: { good: true } }], { structuredOutput: false });
    await call({ reply });
    expect(kind.asked()[0]).not.toHaveProperty('schema');
  });

  test('pictures and files come before the text of the user, as they are', async () => {
    const picture = randomBytes(3_000);
    const report = randomBytes(1_001);
    await start([
      { reply: 'a cat', usage: false },
      { status: 400, error: { message: REFUSES_PICTURES } },
    ]);
    const attachments: ModelAttachment[] = [
      { kind: 'image', mediaType: 'image/png', data: picture },
      { kind: 'image', url: 'https://example.com/cat.png?size=1' },
      { kind: 'file', mediaType: 'application/pdf', name: 'report.pdf', data: report },
    ];
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'What is it?', attachments },
    ];
    // 2 pictures and 1 file count as 4,000 tokens; as text their base64 would be about 3,000 more.
    const { promptTokens } = (await call({ messages })).usage;
    expect(promptTokens).toBeGreaterThan(4_000);
    expect(promptTokens).toBeLessThan(4_100);
    expect(kind.asked()).toMatchObject([
      {
        messages: [{ text: 'Be brief.' }, { text: 'What is it?' }],
        attachments: [
          { kind: 'image', sha256: sha256Of(picture) },
          { kind: 'image', url: 'https://example.com/cat.png?size=1' },
          { kind: 'file', name: 'report.pdf', sha256: sha256Of(report) },
        ],
      },
    ]);
    const refused = await failure({ messages, reply: { name: 'r', schema: { type: 'object' } } });
    expect(refused).toMatchObject({ type: 'Model.BadRequest', nonRetryable: true });
    expect(refused.message).toMatch(/takes no such attachment for the model "m": .*does not support image/);
    expect(kind.asked()).toHaveLength(2);
  });

  test('tools are called, and their results told', async () => {
    await start([
      { toolCalls: [{ name: 'look_up', arguments: { order: 'A-1' } }], text: 'I look.' },
      { reply: 'Sent.' },
    ]);
    const first = await call({ tools: [TOOL] });
    const toolCalls = [{ id: 'call_scripted_1', name: 'look_up', arguments: '{"order":"A-1"}' }];
    expect(first).toMatchObject({ text: 'I look.', toolCalls });
    expect(first.warnings).toEqual(warnsOfTools ? [expect.stringContaining('not made in the background')] : undefined);
    const turns = [
      { role: 'assistant' as const, content: first.text, toolCalls: first.toolCalls! },
      { role: 'tool' as const, toolCallId: 'call_scripted_1', content: 'on its way' },
      { role: 'user' as const, content: 'Go on.' },
    ];
    expect(await call({ tools: [TOOL], turns, toolChoice: 'none' })).toMatchObject({ text: 'Sent.' });
    const [before, after] = kind.asked();
    expect(before).toMatchObject({ tools: ['look_up'], answered: [] });
    expect(after).toMatchObject({ tools: ['look_up'], answered: ['call_scripted_1'] });
    expect(after!.messages.slice(2)).toEqual([
      { role: 'assistant', text: 'I look.' },
      { role: 'tool', text: 'on its way' },
      { role: 'user', text: 'Go on.' },
    ]);
  });

  test.each(met(FAILURES))('fails as it should: %s', async (name, { entry, type, delay, timeoutMs = 5_000 }) => {
    await start([entry]);
    const made = await failure({ timeoutMs });
    expect(made).toMatchObject({ type: `Model.${tellsLess[name] ?? type}`, nonRetryable: delay === undefined });
    expect(made.nextRetryDelay ?? undefined).toBe(delay);
    expect(kind.asked()).toHaveLength(1);
  });

  // A kind that meets none of them has no such test.
  for (const [name, answer, type] of met(WITH_STATUS_200)) {
    test(`status 200 with ${name} is a failure`, async () => {
      const event = { headers: { 'content-type': 'text/event-stream' }, body: `data: ${answer.body}\n\n` };
      const whole = { ...answer, headers: { 'content-type': 'application/json', ...answer.headers } };
      // A page comes as it is, whatever was asked for.
      await start([{ status: 200, ...(streams && !answer.headers ? event : whole) }]);
      expect(modelFailureType(await thrown())).toBe(tellsLess[name] ?? type);
    });
  }

  test('a call that is cancelled ends with the reason of its signal', async () => {
    await start([{ fault: 'hang' }]);
    const controller = new AbortController();
    const stopped = thrown({ signal: controller.signal });
    await eventually(
      () => kind.asked().length,
      (count) => count === 1,
    );
    controller.abort(new Error('the run was cancelled'));
    expect(await stopped).toMatchObject({ message: 'the run was cancelled' });
    expect(await thrown({ signal: controller.signal })).toMatchObject({ message: 'the run was cancelled' });
    expect(kind.asked()).toHaveLength(1);
  });

  test('a Retry-After holds the next call back, and nothing is sent', async () => {
    await start([{ status: 429, headers: { 'retry-after': '30' } }, { reply: 'never asked for' }]);
    expect(await failure()).toMatchObject({ type: 'Model.RateLimited', nextRetryDelay: 30_000 });
    const held = await failure();
    expect(held).toMatchObject({ type: 'Model.RateLimited', nonRetryable: false });
    expect(held.message).toContain('asked to be left alone');
    expect(kind.asked()).toHaveLength(1);
  });

  test('a model that is down is left alone', async () => {
    await start([{ status: 500 }, { status: 500 }, { reply: 'never asked for' }], {
      options: { circuitBreaker: { failures: 2 } },
    });
    for (const type of ['Unavailable', 'Unavailable', 'CircuitOpen']) {
      expect(await failure()).toMatchObject({ type: `Model.${type}`, nonRetryable: false });
    }
    expect(kind.asked()).toHaveLength(2);
    expect(kind.models.circuitStates()).toMatchObject([{ model: 'm-1', state: 'open', failures: 2 }]);
  });

  test.each([401, 400, 429, 500])('no error of status %p shows the key', async (status) => {
    await start([{ status, error: { message: `Incorrect API key provided: ${KEY}.` } }]);
    const error = await thrown();
    const shown = inspect(error, { depth: 10, showHidden: true });
    expect(shown).toContain('Incorrect API key provided');
    expect(shown).not.toContain(KEY);
  });

  test('texts become vectors, in their order', async () => {
    const vectors = [
      [1, 0.5],
      [-0.25, 2],
    ];
    await start([{ vectors }], { prices: { inputPerMillion: 1_000_000, outputPerMillion: 0 } });
    expect(kind.models.embeddingModel('m')).toBe('m-1');
    const request = { model: 'm', texts: ['abcd', 'efgh'], timeoutMs: 5_000, signal: new AbortController().signal };
    expect(await kind.models.embed(request)).toEqual({
      vectors,
      usage: expect.objectContaining({ promptTokens: 2, completionTokens: 0, modelCalls: 1, usd: 2 }) as unknown,
    });
    expect(kind.asked()).toMatchObject([{ texts: ['abcd', 'efgh'] }]);
  });

  test('vectors that fail, or are too few, are a failure', async () => {
    await start([{ status: 503, headers: { 'retry-after': '3' } }]);
    const request = { model: 'm', texts: ['a'], timeoutMs: 5_000, signal: new AbortController().signal };
    const made = await kind.models.embed(request).catch((error: unknown) => error);
    expect(toApplicationFailure(made, { attempt: 1 })).toMatchObject({ type: 'Model.Unavailable' });
    await kind.close();
    await start([{ vectors: [] }]);
    await expect(kind.models.embed(request)).rejects.toThrow();
  });
});
