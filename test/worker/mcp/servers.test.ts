import { runRegisteredAction } from '../../../src/actions/registered';
import { judgeToolProblems, toolProblems, toolsOf } from '../../../src/actions/tool';
import type { ActionRegistry } from '../../../src/actions/types';
import type { McpServer } from '../../../src/worker/mcp/types';
import { createModels } from '../../../src/lib/models';
import { actionsOf, call, closeServers, never } from '../../../testing/mcp/actions';
import { type HttpMcp, startHttpMcp } from '../../../testing/mcp/http';
import { callsIn, ledgerOf, mcpProgram, newLedger } from '../../../testing/mcp/ledger';
import { eventually } from '../../../testing/support/eventually';

const ledger = newLedger();
let http: HttpMcp;

beforeAll(async () => {
  http = await startHttpMcp(ledger);
});

afterAll(async () => {
  await closeServers();
  await http.close();
});

const WAYS: [string, () => McpServer][] = [
  ['stdio', () => mcpProgram(ledger)],
  ['streamable HTTP', () => ({ url: http.url })],
];

describe.each(WAYS)('tools of a real MCP server over %s', (_way, server) => {
  let actions: ActionRegistry;

  beforeAll(async () => {
    actions = actionsOf({ desk: server() });
    await actions.learn(['mcp.desk.add'], never);
  });

  test('all pages of its list are actions, with the schema of the server and a description that is bounded', () => {
    const [add, lookUp] = toolsOf(['mcp.desk.add', 'mcp.desk.look.up'], actions);
    expect(add).toEqual({
      name: 'mcp_desk_add',
      description: 'Adds two numbers.',
      parameters: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    });
    expect(lookUp!.name).toBe('mcp_desk_look_up');
    expect(lookUp!.description.length).toBeLessThan(1_100);
    // On the last of three pages.
    expect(actions.find('mcp.desk.grows')).toBeDefined();
  });

  test('a call gives the text, and the server is told the key of the call', async () => {
    expect(await call(actions, 'mcp.desk.add', { a: 2, b: 3 })).toEqual({ content: '5', failed: false });
    expect(callsIn(ledger).at(-1)).toMatchObject({ tool: 'add', arguments: { a: 2, b: 3 }, key: 'key-1' });
  });

  test('a call that the check of the spec guarded is not made, though this worker’s settings list no approval', async () => {
    const before = callsIn(ledger).length;
    const guarded = (isApproved: boolean) =>
      call(actions, 'mcp.desk.add', { a: 2, b: 3 }, never, { isGuarded: true, isApproved });
    expect(await guarded(false)).toMatchObject({ failed: true, needsApproval: true });
    expect(callsIn(ledger)).toHaveLength(before);
    expect(await guarded(true)).toEqual({ content: '5', failed: false });
  });

  test.each([
    ['no JSON', '{"a"', /no JSON/],
    ['a wrong type', { a: 'two', b: 3 }, /^action "mcp\.desk\.add": input is not valid: a: must be number, got "two"$/],
    ['two mistakes', { b: 'x', c: 1 }, /a: is missing; c: is not allowed; b: must be number/],
    ['no object', '[]', /must be an object/],
  ])('arguments with %s are answered without a call', async (_what, given, said) => {
    const before = callsIn(ledger).length;
    const answer = await call(actions, 'mcp.desk.add', given);
    expect(answer.failed).toBe(true);
    expect(answer.content).toMatch(said);
    expect(callsIn(ledger)).toHaveLength(before);
  });

  test.each([
    ['an error of the tool', 'fails', 'There is no such page.'],
    ['an error of the server', 'breaks', 'the shelf fell over'],
  ])('%s is for the model to know', async (_what, tool, content) => {
    expect(await call(actions, `mcp.desk.${tool}`)).toEqual({ content, failed: true });
  });

  test('a step gets the text or the structure, and an error of the tool ends it', async () => {
    const models = createModels([], {});
    const run = (action: string, given = {}) =>
      runRegisteredAction(
        { action, with: given },
        { state: { n: 5 }, iteration: 1, workflowId: 'run', timeoutMs: 1_000 },
        { actions, models, signal: never },
      );
    expect(await run('mcp.desk.add', { a: '{{ state.n }}', b: 1 })).toMatchObject({ output: '6' });
    expect(await run('mcp.desk.judges', { output: 5 })).toMatchObject({ output: { pass: true, score: 0.9 } });
    await expect(run('mcp.desk.fails')).rejects.toMatchObject({
      name: 'ToolFailed',
      message: 'There is no such page.',
    });
  });

  test('a huge result arrives whole, for the activity to cut; files with text are shown, and others are named', async () => {
    const huge = await call(actions, 'mcp.desk.huge');
    expect(huge.content).toHaveLength(1_000_000);
    const { content } = await call(actions, 'mcp.desk.picture');
    expect(content.split('\n')).toEqual([
      'A pixel:',
      expect.stringMatching(/^\[image, image\/png, \d\d bytes: not shown\]$/),
      '[resource file:///pixel.png: pixel]',
      '[resource file:///all.txt: All notes, text/plain, Read it by `read`.]',
      '[resource file:///notes.txt, text/plain]',
      'First.',
      'Second.',
      '[resource file:///empty.txt, of no named type]',
      '',
      '[resource file:///pixel.png, image/png, binary: not shown]',
      expect.stringMatching(/^\[audio, audio\/wav, \d\d bytes: not shown\]$/),
    ]);
  });

  test('a call that is aborted is cancelled at the server', async () => {
    const controller = new AbortController();
    const before = ledgerOf(ledger).length;
    const answer = call(actions, 'mcp.desk.slow', {}, controller.signal);
    await eventually(
      () => ledgerOf(ledger).length,
      (count) => count > before,
    );
    controller.abort(new Error('nobody waits'));
    await expect(answer).rejects.toThrow('nobody waits');
    const last = await eventually(
      () => ledgerOf(ledger).at(-1)!,
      ({ end }) => end !== undefined,
    );
    expect(last).toMatchObject({ tool: 'slow', end: 'cancelled' });
  });

  test('a call that takes too long is a failure that passes', async () => {
    const hasty = actionsOf({ desk: { ...server(), timeout: '300ms' } });
    await hasty.learn(['mcp.desk.slow'], never);
    await expect(call(hasty, 'mcp.desk.slow')).rejects.toMatchObject({
      type: 'Mcp.Timeout',
      message: 'MCP server "desk" did not answer within 300 ms',
      nonRetryable: false,
    });
  });

  test('a judge may call those that the worker lists as read-only, and no others', async () => {
    const names = ['mcp.desk.add', 'mcp.desk.breaks'];
    const listed = actionsOf({ desk: { ...server(), readOnly: ['a*'] } });
    await listed.learn(names, never);
    expect(judgeToolProblems(names, listed)).toEqual([
      { path: '/tools/1', message: expect.stringMatching(/^"mcp\.desk\.breaks" cannot be called by a judge: /) },
    ]);
    await actions.learn(names, never);
    expect(judgeToolProblems(names, actions).map(({ path }) => path)).toEqual(['/tools/0', '/tools/1']);
  });

  test('names that are unknown, not allowed or of a broken schema are told with the reason', async () => {
    const some = actionsOf({ desk: { ...server(), tools: ['add', 'b*'] } }, ['mcp.desk.a*', 'mcp.desk.bad_schema']);
    const names = [
      'mcp.desk.add',
      'mcp.desk.ad',
      'mcp.desk.huge',
      'mcp.desk.breaks',
      'mcp.desk.bad_schema',
      'mcp.dsk.add',
    ];
    await some.learn(names, never);
    expect(toolProblems(names, some)).toEqual(
      [
        [1, 'action "mcp.desk.ad" is not allowed on this worker'],
        [2, 'action "mcp.desk.huge" is not allowed on this worker'],
        [3, 'action "mcp.desk.breaks" is not allowed on this worker'],
        [4, expect.stringMatching(/^action "mcp\.desk\.bad_schema": the JSON Schema of its parameters is none: /)],
        [5, 'action "mcp.dsk.add": no MCP server "dsk" is configured on this worker (did you mean desk?); it has desk'],
      ].map(([index, message]) => ({ path: `/tools/${index}`, message, type: 'UnknownAction' })),
    );
    await actions.learn(['mcp.desk.ad'], never);
    expect(actions.whyNot('mcp.desk.ad')).toMatch(
      /^action "mcp\.desk\.ad": MCP server "desk" has no tool "ad" \(did you mean add\?\); it has add, look\.up, /,
    );
  });

  test('a tool with a schema of an old draft goes to the model as it is, and the server checks its arguments', async () => {
    await actions.learn(['mcp.desk.old_draft'], never);
    expect(toolProblems(['mcp.desk.old_draft'], actions)).toEqual([]);
    const a = { type: 'number', minimum: 1, exclusiveMinimum: true };
    expect(toolsOf(['mcp.desk.old_draft'], actions)).toMatchObject([{ parameters: { properties: { a } } }]);
    expect(await call(actions, 'mcp.desk.old_draft', { a: 1 })).toEqual({
      content: 'The server says: a must be more than 1.',
      failed: false,
    });
  });

  test('a tool that the server adds later is found', async () => {
    const later = actionsOf({ desk: server() });
    await later.learn(['mcp.desk.later'], never);
    if (later.find('mcp.desk.later')) return;
    await call(later, 'mcp.desk.grows');
    await eventually(
      async () => {
        await later.learn(['mcp.desk.later'], never);
        return later.find('mcp.desk.later');
      },
      (found) => found !== undefined,
    );
    expect(await call(later, 'mcp.desk.later')).toEqual({ content: 'I am new.', failed: false });
  });
});

const SCHEMA = { required: ['a'] };

test.each<[what: string, rules: Pick<McpServer, 'approval' | 'readOnly'>, said: RegExp]>([
  [
    'mistypes a tool',
    { approval: ['ad'] },
    /`approval` names "ad", which is no tool of it \(did you mean add\?\); it has /,
  ],
  ['writes a tool in another case', { approval: ['Add'] }, /did you mean add/],
  ['mistypes a tool in a map', { approval: { add: SCHEMA, ad: SCHEMA } }, /names "ad".*did you mean add/],
  ['has a pattern that covers no tool', { approval: ['Add*'] }, /names "Add\*"/],
  ['has the full name of a tool of another server', { approval: ['mcp.shop.add'] }, /did you mean add/],
  [
    'mistypes a tool in readOnly',
    { readOnly: ['add', 'look.upp'] },
    /`readOnly` names "look.upp".*did you mean look\.up/,
  ],
])('no tool of a server is used whose settings name none: approval that %s', async (_what, rules, said) => {
  const actions = actionsOf({ desk: { ...mcpProgram(newLedger()), ...rules } });
  await actions.learn(['mcp.desk.add'], never);
  expect(toolProblems(['mcp.desk.add'], actions)).toEqual([
    { path: '/tools/0', type: 'UnknownAction', message: expect.stringMatching(said) },
  ]);
  await expect(call(actions, 'mcp.desk.add', { a: 1, b: 1 })).rejects.toThrow(said);
});

test.each<[string, McpServer['approval']]>([
  ['a list', ['mcp.desk.add']],
  ['a map', { 'mcp.desk.add': SCHEMA }],
  ['a pattern', ['mcp.desk.a*']],
])('the full name of a tool in %s of approval is understood', async (_what, approval) => {
  const actions = actionsOf({ desk: { ...mcpProgram(newLedger()), approval: approval! } });
  const end = await call(actions, 'mcp.desk.add', { a: 1, b: 1 });
  expect(end).toMatchObject({ needsApproval: true });
});
