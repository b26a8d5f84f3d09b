import fc from 'fast-check';
import { toApplicationFailure } from '../../../../src/activities/failures';
import { createModels, type WorkerModels } from '../../../../src/lib/models';
import type { ChatRequest } from '../../../../src/lib/models/types';
import type { ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';

const MESSAGE = {
  role: 'assistant',
  content: 'Three.',
  refusal: null,
  reasoning_content: 'Hm.',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
};
const COUNTS = {
  prompt_tokens: 10,
  completion_tokens: 2,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 1 },
};
const WHOLE = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
  usage: COUNTS,
};
const CHUNK = {
  id: 'x',
  choices: [
    {
      index: 0,
      delta: { ...MESSAGE, tool_calls: [{ index: 0, ...MESSAGE.tool_calls[0] }] },
      finish_reason: 'stop',
    },
  ],
  usage: COUNTS,
};
const RESPONSE = {
  id: 'r',
  object: 'response',
  status: 'incomplete',
  incomplete_details: { reason: 'max_output_tokens' },
  error: { code: 'server_error', message: 'Down.' },
  output: [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    {
      type: 'message',
      content: [
        { type: 'output_text', text: 'Three.' },
        { type: 'refusal', refusal: '' },
      ],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12, output_tokens_details: { reasoning_tokens: 1 } },
};
const VECTORS = { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3, total_tokens: 3 } };
const REFUSAL = {
  error: { message: 'No.', code: 'invalid', type: 'request', param: null },
  detail: [{ loc: ['a'], msg: 'b' }],
};

type Path = (string | number)[];

/** The paths to all that is inside a value, and to the value itself. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]));
  return [path, ...inner];
}

/** A value in which something is replaced, or left out where it is undefined. */
function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[first] = replaced(copy[first], rest, by);
  return copy;
}

const strangeValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, [], {}, [null], [[]], '', 'text', 0, -1, 1.5, 1e300, true, false),
  fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, { length: 3 }, { constructor: null, hasOwnProperty: 2 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A reply of the protocol in which one or two things are otherwise. */
function strange(valid: unknown): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.constantFrom(...pathsIn(valid)), strangeValue);
  return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) =>
    // The longer path first: what is replaced has no more paths in it.
    changes
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((value, [path, by]) => replaced(value, path, by), valid),
  );
}

/** What our own code throws where it trips. */
const INTERNAL =
  /cannot read|cannot use|cannot convert|cannot destructure|is not a function|is not iterable|not an object|of undefined|of null|invalid time|circular/i;

describe('a reply of any shape', () => {
  let server: ScriptedOpenAI;
  let models: WorkerModels;
  let next: ScriptEntry;
  beforeAll(async () => {
    server = await ScriptedOpenAI.start({ script: () => next, responses: 'background' });
    const at = { model: 'm', baseUrl: server.baseUrl };
    const all = [
      { ...at, name: 'whole' },
      { ...at, name: 'streamed', stream: true },
      { ...at, name: 'background', background: true },
    ];
    models = createModels(all, {}, { circuitBreaker: false });
  });
  afterAll(() => server.close());

  const request = (model: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
    model,
    messages: [{ role: 'user', content: 'Write.' }],
    background: { began: () => undefined, isWanted: () => Promise.resolve(false) },
    timeoutMs: 400,
    signal: new AbortController().signal,
    ...more,
  });

  /** Every failure has a type of its own, and says nothing of our code. */
  async function expectToldWell(calling: Promise<unknown>): Promise<void> {
    const failed = await calling.then(
      () => undefined,
      (error: unknown) => toApplicationFailure(error, { attempt: 1 }),
    );
    if (!failed) return;
    expect(failed).toMatchObject({ type: expect.stringMatching(/^Model\./) });
    expect(failed.message).not.toMatch(INTERNAL);
  }

  const tools = [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }];
  const RUNS = { numRuns: 150 };
  const json = (body: unknown): string => JSON.stringify(body) ?? '';
  const answering = (body: string, status = 200): void => {
    next = { status, body };
  };

  test.each([false, true])('whole, with tools: %p', (hasTools) =>
    fc.assert(
      fc.asyncProperty(strange(WHOLE), async (body) => {
        answering(json(body));
        await expectToldWell(models.call(request('whole', hasTools ? { tools } : {})));
      }),
      RUNS,
    ),
  );

  test('streamed', () =>
    fc.assert(
      fc.asyncProperty(fc.array(strange(CHUNK), { minLength: 1, maxLength: 3 }), async (chunks) => {
        const events = chunks.map((chunk) => `data: ${json(chunk) || 'null'}\n\n`);
        answering(`${events.join('')}data: [DONE]\n\n`);
        await expectToldWell(models.call(request('streamed', { tools })));
      }),
      RUNS,
    ));

  test('made in the background', () =>
    fc.assert(
      fc.asyncProperty(strange(RESPONSE), async (body) => {
        const own = createModels([{ name: 'm', model: 'm', baseUrl: server.baseUrl, background: true }], {});
        answering(json(body));
        await expectToldWell(own.call(request('m')));
      }),
      { numRuns: 80 },
    ));

  test('of vectors', () =>
    fc.assert(
      fc.asyncProperty(strange(VECTORS), async (body) => {
        answering(json(body));
        const { timeoutMs, signal } = request('whole');
        await expectToldWell(models.embed({ model: 'whole', texts: ['a'], timeoutMs, signal }));
      }),
      RUNS,
    ));

  test('that is an error, with any status', () =>
    fc.assert(
      fc.asyncProperty(
        strange(REFUSAL),
        fc.constantFrom(200, 400, 403, 404, 422, 429, 500, 503),
        async (body, status) => {
          answering(json(body), status);
          const reply = { name: 'verdict', schema: { type: 'object' } };
          await expectToldWell(models.call(request('whole', { reply })));
        },
      ),
      { ...RUNS, examples: [[{ detail: [{ loc: [{ toString: 1, valueOf: 1 }], msg: 'b' }] }, 403]] },
    ));
});
