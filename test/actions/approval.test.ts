import { z } from 'zod';
import { needsApproval } from '../../src/actions/approval';
import { createActionRegistry } from '../../src/actions/registry';
import { callAction } from '../../src/actions/registered';
import { actionProblems } from '../../src/actions/step';
import { judgeToolProblems, runTool, toolProblems, toolsOf } from '../../src/actions/tool';
import type { Action } from '../../src/actions/types';
import { questionsOf } from '../../src/activities/prepare/named-actions';
import { McpTool } from '../../src/worker/mcp/mcp-tool';
import { defineAction } from '../../src/worker';

const run = jest.fn(({ amount }: { amount: number }) => `paid ${amount}`);
const input = z.object({ amount: z.number() });
const action = (name: string, more: Partial<Action> = {}): Action =>
  ({ ...defineAction({ name, description: name, input, run }), ...more }) as Action;
const actions = createActionRegistry([
  action('free'),
  action('always', { approval: true }),
  action('large', { approval: ({ amount }: { amount: number }) => amount > 10 }),
  action('reads', { approval: true, readOnly: true }),
]);
const signal = new AbortController().signal;
const call = (name: string, amount: unknown, more: object = {}) =>
  runTool(
    { action: name, arguments: JSON.stringify({ amount }), state: {}, iteration: 1, workflowId: 'w', ...more },
    { actions, signal },
  );

beforeEach(() => run.mockClear());

test.each<[string, unknown, object, 'made' | 'waits' | 'invalid']>([
  ['free', 5, {}, 'made'],
  ['always', 5, {}, 'waits'],
  ['large', 5, {}, 'made'],
  ['large', 20, {}, 'waits'],
  ['large', 20, { isApproved: true }, 'made'],
  // Nobody is asked about what could not be called.
  ['large', 'much', {}, 'invalid'],
  ['large', 'much', { isApproved: true }, 'invalid'],
  // The worker that checked the spec has another action of that name.
  ['free', 5, { isGuarded: true }, 'waits'],
  ['large', 5, { isGuarded: true }, 'made'],
])('a call of %s with %j and %j is %s', async (name, amount, more, end) => {
  const { failed, needsApproval: waits, invalid } = await call(name, amount, more);
  expect([failed, waits, invalid]).toEqual([
    end !== 'made',
    end === 'waits' ? true : undefined,
    end === 'invalid' ? true : undefined,
  ]);
  expect(run).toHaveBeenCalledTimes(end === 'made' ? 1 : 0);
});

test('a rule that throws, or that does not say false, does not allow the call', async () => {
  const throws = () => {
    throw new Error('no');
  };
  for (const rule of [throws, () => undefined as never, async () => true]) {
    expect(await needsApproval({ approval: rule }, {})).toBe(true);
  }
  expect(await needsApproval({ approval: async () => Promise.resolve(false) }, {})).toBe(false);
});

test('what no person can approve is refused: a step, a hook, an evaluator, a tool of a judge', async () => {
  const use = { actions, signal };
  const place = { state: {}, iteration: 1, workflowId: 'w' };
  await expect(callAction({ action: 'large', with: { amount: 20 } }, place, use)).rejects.toThrow('needs the approval');
  await expect(call('reads', 5, { byJudge: true })).rejects.toThrow('cannot be called by a judge');
  expect(run).not.toHaveBeenCalled();
  expect(await actionProblems({ action: 'large', with: { amount: 1 } }, actions)).toMatchObject([
    { path: '/action', message: expect.stringContaining('list it in `tools` of a step of a loop') },
  ]);
  expect(judgeToolProblems(['reads', 'ask_person'], actions)).toMatchObject([
    { path: '/tools/0', message: expect.stringContaining('needs the approval') },
    { path: '/tools/1', message: expect.stringContaining('no judge asks a person') },
  ]);
});

test('ask_person is built in, and an action of that name takes its place', () => {
  expect(toolProblems(['ask_person', 'free'], actions)).toEqual([]);
  expect(toolsOf(['ask_person'], actions)[0]!.description).toContain('Asks the person');
  const own = createActionRegistry([action('ask_person')]);
  expect(toolsOf(['ask_person'], own)[0]!.description).toBe('ask_person');
  expect(questionsOf({}, ['ask_person'], own)).toEqual({});
  expect(questionsOf({ questions: { timeout: '2h' } }, ['ask_person', 'large', 'free'], actions)).toEqual({
    questions: { most: 3, timeoutMs: 7_200_000, asks: true, approvals: ['large'] },
  });
});

test('a server of tools says which calls need approval: by name, or by a JSON Schema of the arguments', async () => {
  const told = { name: 'pay.now', description: 'Pays.', inputSchema: { type: 'object' } };
  const approvalOf = async (approval: string[] | Record<string, object> | undefined, amount: number) => {
    const target = approval && { approval: approval as Record<string, never> };
    return needsApproval(new McpTool({ name: 'shop' } as never, told as never, target).action, { amount });
  };
  const large = { properties: { amount: { exclusiveMinimum: 10 } }, required: ['amount'] };
  expect(await approvalOf(undefined, 20)).toBe(false);
  expect(await approvalOf(['pay.*'], 1)).toBe(true);
  expect(await approvalOf(['refund'], 20)).toBe(false);
  expect([await approvalOf({ 'pay.*': large }, 20), await approvalOf({ 'pay.*': large }, 5)]).toEqual([true, false]);
});
