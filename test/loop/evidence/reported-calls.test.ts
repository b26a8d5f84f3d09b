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
    { name: 'pay', arguments: {}, result: 'It has no result: it was not made.', failed: true },
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
    { name: 'pay', arguments: {}, result: 'It has no result: it was not made.', failed: true },
  ]);
});
