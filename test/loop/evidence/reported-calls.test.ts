import type { Json } from '../../../src/lib/json/json';
import { jsonBytes } from '../../../src/lib/json/json-bytes';
import { callsOfAgentItems, callsOfAiSdkSteps } from '../../../src/loop/evidence/agent-calls';
import type { KeptCalls } from '../../../src/loop/contract/calls';
import { readReportedCalls } from '../../../src/loop/evidence/reported-calls';

describe('calls that an agent reports', () => {
  test('are kept as reported, with their results as text', () => {
    const given = [
      { name: 'find', arguments: { id: 7 }, result: { date: '2026-11-03' }, startedAt: '2026-11-26T12:00:00.000Z' },
      { name: 'send', failed: true, result: 'no address' },
    ];
    expect(readReportedCalls(given)).toEqual({
      calls: [
        {
          name: 'find',
          arguments: { id: 7 },
          result: '{"date":"2026-11-03"}',
          outcome: 'ok',
          source: 'reported',
          startedAt: '2026-11-26T12:00:00.000Z',
        },
        { name: 'send', result: 'no address', outcome: 'error', source: 'reported' },
      ],
      callsOmitted: 0,
    });
    expect(readReportedCalls(undefined)).toEqual({});
  });

  test.each<[string, unknown, string]>([
    ['a text', 'find', '`calls` that are a list'],
    ['what is no JSON', [{ name: 'find', result: 1n }], '`calls` that are a list'],
    ['what is no object', [{ name: 'find' }, 7], 'other `calls`: /calls/1 is no object'],
    ['calls without a name', [{ result: 1 }], 'other `calls`: /calls/0 has no `name`'],
    ['an empty name', [{ name: '' }], 'other `calls`: /calls/0 has no `name`'],
    ['a failure that is no boolean', [{ name: 'find', failed: 'no' }], '/calls/0 has a `failed` that is no boolean'],
    ...['yesterday', '2026-99-99T10:00:00Z', `2026-11-26T12:00:00.${'1'.repeat(90_000)}Z`, '2026-11-26T::.Z'].map(
      (startedAt): [string, unknown, string] => [
        'a time that is none',
        [{ name: 'find', startedAt }],
        '/calls/0 has a time that is not ISO 8601',
      ],
    ),
  ])('%s is refused', (_what, given, problem) => {
    expect(readReportedCalls(given)).toContain(problem);
  });

  // An address without a host, and an `@` in the next text: in the JSON of both, that looks like a name and a password.
  test.each([
    [{ prefix: 'https://', to: ['ada@example.org'] }],
    [[['ftp://'], 'a@b', { c: 'x' }]],
    [{ 'redis://': { owner: 'bob@host' }, ['__proto__']: { a: 'https://', b: '@' } }],
  ])('keys are hidden text by text, and nothing between two texts: %j', (given) => {
    const { calls } = readReportedCalls([{ name: 'send', arguments: given as Json }]) as KeptCalls;
    expect(JSON.stringify(calls![0]!.arguments)).toBe(JSON.stringify(given));
    const secret = { given, at: 'postgres://ada:pw@db' } as Json;
    const [hidden] = (readReportedCalls([{ name: 'send', arguments: secret }]) as KeptCalls).calls!;
    expect(hidden!.arguments).toEqual({ given, at: 'postgres://[redacted]@db' });
  });

  test('are bounded, well-formed and without keys', () => {
    const many = Array.from({ length: 1_500 }, (_, index) => ({ name: `call ${index}` }));
    const { calls, callsOmitted } = readReportedCalls(many) as { calls: { name: string }[]; callsOmitted: number };
    expect([calls.length, callsOmitted, calls.at(-1)!.name]).toEqual([1_000, 500, 'call 1499']);
    const [odd] = (
      readReportedCalls([
        { name: 'x'.repeat(900), arguments: { key: 'sk-abcdefghijk', half: '\ud800' }, result: 'y'.repeat(90_000) },
      ]) as { calls: { name: string; arguments: object; result: string; resultBytes: number }[] }
    ).calls;
    expect(odd!.name).toHaveLength(200);
    expect(odd!.arguments).toEqual({ key: '[redacted]', half: '\ufffd' });
    expect(odd!.resultBytes).toBe(90_000);
    expect(jsonBytes(odd)).toBeLessThan(5_000);
  });
});

test('calls of the AI SDK: with their results, and the errors of tools', () => {
  const steps = [
    {
      toolCalls: [
        { toolCallId: 'a', toolName: 'find', input: { id: 7 } },
        { toolCallId: 'b', toolName: 'send', input: { to: 'Ada' } },
      ],
      toolResults: [{ toolCallId: 'a', toolName: 'find', output: { date: '2026-11-03' } }],
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool-error', toolCallId: 'b', toolName: 'send', error: new Error('no address') },
      ],
    },
    // It waits for the approval of a person.
    { toolCalls: [{ toolCallId: 'c', toolName: 'pay', input: {} }], toolResults: [], content: [] },
  ];
  expect(callsOfAiSdkSteps(steps)).toEqual([
    { name: 'find', arguments: { id: 7 }, result: { date: '2026-11-03' } },
    { name: 'send', arguments: { to: 'Ada' }, result: 'no address', failed: true },
    { name: 'pay', arguments: {}, result: 'It has no result: it was not made.', failed: true, unmade: true },
  ]);
});

test('calls of the OpenAI Agents SDK: with their results, and tools of the provider', () => {
  const items = [
    { type: 'tool_call_item', rawItem: { type: 'function_call', callId: 'a', name: 'find', arguments: '{"id":7}' } },
    { type: 'tool_call_item', rawItem: { type: 'function_call', callId: 'b', name: 'send', arguments: '{"to"' } },
    { type: 'tool_call_output_item', rawItem: { callId: 'b', output: 'x' }, output: 'no address' },
    {
      type: 'tool_call_output_item',
      rawItem: { callId: 'a', output: { type: 'text', text: 'no' } },
      output: { date: 3 },
    },
    { type: 'tool_call_item', rawItem: { type: 'hosted_tool_call', name: 'web_search', output: 'three pages' } },
    { type: 'tool_call_item', rawItem: { type: 'function_call', callId: 'c', name: 'pay', arguments: '{}' } },
    { type: 'message_output_item', rawItem: { type: 'message' } },
  ];
  expect(callsOfAgentItems(items)).toEqual([
    { name: 'find', arguments: { id: 7 }, result: { date: 3 } },
    { name: 'send', arguments: '{"to"', result: 'no address' },
    { name: 'web_search', result: 'three pages' },
    { name: 'pay', arguments: {}, result: 'It has no result: it was not made.', failed: true, unmade: true },
  ]);
});

type Item = Parameters<typeof callsOfAgentItems>[0][number];
const asked = (more: object = {}): Item => ({
  type: 'tool_call_item',
  rawItem: { type: 'function_call', callId: 'a', name: 'send', arguments: '{}', status: 'completed', ...more },
});
const ended = (status: string | undefined, output: unknown, more: object = {}): Item => ({
  type: 'tool_call_output_item',
  rawItem: { type: 'function_call_result', callId: 'a', name: 'send', status, output, ...more },
});
const hosted = (more: object): Item => ({
  type: 'tool_call_item',
  rawItem: { type: 'hosted_tool_call', id: 'h', name: 'search', ...more },
});
const rejected = 'Tool execution was not approved.';
const threw = 'An error occurred while running the tool. Please try again. Error: no route to host';

test.each<[string, Item[], 'ok' | 'error' | 'not_made']>([
  ['that completed', [asked(), ended('completed', 'sent')], 'ok'],
  ['whose result has no status', [asked(), ended(undefined, 'sent')], 'ok'],
  ['that a person rejected', [asked(), ended('completed', rejected)], 'not_made'],
  ['that a person rejected, in an object', [asked(), ended('completed', { type: 'text', text: rejected })], 'not_made'],
  ['whose tool threw', [asked(), ended('completed', threw)], 'error'],
  ['whose result is incomplete', [asked(), ended('incomplete', 'x')], 'error'],
  ['whose result failed', [asked(), ended('failed', 'x')], 'error'],
  ['without a result', [asked()], 'not_made'],
  ['of a tool of the provider that completed', [hosted({ status: 'completed', output: 'x' })], 'ok'],
  ['of a tool of the provider that failed', [hosted({ status: 'failed' })], 'error'],
  ['of a tool of the provider with an error', [hosted({ providerData: { error: 'away' } })], 'error'],
  ['of a tool of the provider without one', [hosted({ status: 'completed', providerData: { error: null } })], 'ok'],
])('a call of the OpenAI Agents SDK %s has the outcome that it had', (_what, items, outcome) => {
  const read = readReportedCalls(callsOfAgentItems(items));
  expect(read).toMatchObject({ calls: [{ outcome, source: 'reported' }] });
});

test('a call of the AI SDK with invalid arguments was not made', () => {
  const toolCalls = [{ toolCallId: 'a', toolName: 'pay', input: '{', invalid: true }];
  const content = [{ type: 'tool-error', toolCallId: 'a', error: 'no JSON' }];
  expect(callsOfAiSdkSteps([{ toolCalls, toolResults: [], content }])).toEqual([
    { name: 'pay', arguments: '{', result: 'no JSON', failed: true, unmade: true },
  ]);
});

test('a reported call whose values were hidden or shortened says so', () => {
  const given = [
    { name: 'whole', arguments: { a: 1 }, result: 'x' },
    { name: 'hidden', arguments: { key: 'sk-abcdefghijk' }, result: 'Bearer abcdefgh' },
    { name: 'long', arguments: { text: 'x'.repeat(9_000) }, result: 'y'.repeat(9_000) },
  ];
  const { calls } = readReportedCalls(given) as { calls: { altered?: string[] }[] };
  expect(calls.map(({ altered }) => altered)).toEqual([undefined, ['arguments', 'result'], ['arguments', 'result']]);
});

test('reading a step of the AI SDK looks at each result and each error a few times, however many calls it has', () => {
  let looks = 0;
  const counted = (index: number) => ({
    get toolCallId() {
      looks += 1;
      return `call-${index}`;
    },
  });
  const indexes = Array.from({ length: 2_000 }, (_, index) => index);
  const calls = callsOfAiSdkSteps([
    {
      toolCalls: indexes.map((index) => ({ toolCallId: `call-${index}`, toolName: 'look', input: index })),
      toolResults: indexes.slice(1_000).map((index) => Object.assign(counted(index), { output: index })),
      content: indexes
        .slice(0, 1_000)
        .map((index) => Object.assign(counted(index), { type: 'tool-error', error: 'no' })),
    },
  ]);
  expect(calls.filter(({ failed }) => failed)).toHaveLength(1_000);
  expect(calls.at(-1)).toEqual({ name: 'look', arguments: 1_999, result: 1_999 });
  expect(looks).toBeLessThanOrEqual(3 * indexes.length);
});
