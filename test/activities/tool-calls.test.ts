import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import type { Action } from '../../src/actions/types';
import { createActivities } from '../../src/activities';
import type { ToolAnswer, ToolInput } from '../../src/activities/protocol';
import { ExternalUnavailable } from '../../src/lib/external';
import { createModels } from '../../src/lib/models';
import '../../testing/support/quiet';

function actionThat(run: () => never, more: Partial<Action> = {}): Action {
  return { name: 'look', description: '', input: z.object({}), readOnly: true, run, ...more };
}

async function called(action: Action, byJudge: boolean, given = '{}', more: Partial<ToolInput> = {}) {
  const activities = createActivities({
    models: createModels([], {}),
    actions: createActionRegistry([action]),
    searchAttributes: () => Promise.resolve(false),
  });
  const input = {
    action: 'look',
    arguments: given,
    iteration: 1,
    state: {},
    ...(byJudge && { byJudge: true as const }),
    ...more,
  };
  const attempt = async () => activities.tool(input);
  return (new MockActivityEnvironment().run(attempt) as ReturnType<typeof activities.tool>).catch(
    (error: unknown) => error,
  );
}

const throwing = (error: Error) => () => {
  throw error;
};

test.each<[string, Error, Partial<Action>]>([
  ['an error', new Error('There is no order Z1.'), {}],
  ['a failure that no retry mends', ApplicationFailure.nonRetryable('There is no order Z1.', 'NotFound'), {}],
])('%s of a tool is its answer for a judge, and a failure for everyone else', async (_what, error, more) => {
  const action = actionThat(throwing(error), more);
  expect(await called(action, true)).toMatchObject({
    value: { content: 'The tool failed: There is no order Z1.', failed: true, measured: { attempt: 1 } },
  });
  expect(await called(action, false)).toBeInstanceOf(ApplicationFailure);
});

test.each<[string, Error, Partial<Action>]>([
  ['a failure that a retry may mend', ApplicationFailure.retryable('away', 'Shop.Away'), {}],
  ['the last attempt of one', ApplicationFailure.retryable('away', 'Shop.Away'), { maximumAttempts: 1 }],
  ['a service that is away', new ExternalUnavailable('away', 1), {}],
  ['an MCP server that refuses', ApplicationFailure.nonRetryable('away', 'Mcp.Refused'), {}],
])('%s is no answer: the tool was not reached', async (_what, error, more) => {
  expect(await called(actionThat(throwing(error), more), true)).toBeInstanceOf(ApplicationFailure);
});

test('a huge result is cut off, and its size is told', async () => {
  const huge = actionThat((() => 'x'.repeat(1_000_000)) as never);
  const { value } = (await called(huge, false)) as never as { value: ToolAnswer };
  expect(value.content).toHaveLength(16 * 1024 + '\n[cut off: 983616 more characters]'.length);
  expect(value).toMatchObject({
    content: expect.stringMatching(/\[cut off: 983616 more characters\]$/),
    failed: false,
    measured: { bytes: 1_000_000 },
  });
});

test('a secret is hidden although the result is cut off in the middle of it', async () => {
  process.env['SHOP_TOKEN'] = 'a1b2c3d4e5f6a7b8c9d0';
  try {
    const text = `${'x'.repeat(16 * 1024 - 12)}a1b2c3d4e5f6a7b8c9d0${'y'.repeat(200_000)}`;
    const { value } = (await called(actionThat((() => text) as never), false)) as never as { value: ToolAnswer };
    expect(value.measured!.redacted!.result).toMatch(/x\[redacted/);
    expect(JSON.stringify(value.measured)).not.toContain('a1b2');
    const plain = await called(actionThat((() => 'x'.repeat(200_000)) as never), false);
    expect((plain as never as { value: ToolAnswer }).value.measured!.redacted).toBeUndefined();
  } finally {
    delete process.env['SHOP_TOKEN'];
  }
});

test('arguments are searched text by text, and stay JSON', async () => {
  const shop = actionThat((() => 'x') as never, { input: z.looseObject({}) });
  const redactedIn = async (given: object): Promise<unknown> => {
    const { value } = (await called(shop, false, JSON.stringify(given))) as never as { value: ToolAnswer };
    return JSON.parse(value.measured!.redacted?.arguments ?? 'null');
  };
  expect(await redactedIn({ prefix: 'https://', to: ['ada@example.org'] })).toBeNull();
  const given = { prefix: 'https://', to: ['ada@example.org'], at: 'redis://ada:pw@db' };
  expect(await redactedIn(given)).toEqual({ ...given, at: 'redis://[redacted]@db' });
});

test('an action that may change things is not run for a judge, although the spec was checked elsewhere', async () => {
  const run = jest.fn<never, []>();
  const failure = await called(actionThat(run, { readOnly: false }), true);
  expect(failure).toMatchObject({
    type: 'UnknownAction',
    message: expect.stringMatching(/cannot be called by a judge/),
  });
  expect(run).not.toHaveBeenCalled();
});

test('the rules about a call are checked before its arguments and its result lose their secrets', async () => {
  const shop = actionThat((() => 'the key is sk-abcdefghijk') as never, { input: z.looseObject({}) });
  const rules = [{ result: { pattern: 'sk-' } }, { arguments: { properties: { key: { const: 'sk-lmnopqrstuv' } } } }];
  const { value } = (await called(shop, false, '{"key":"sk-lmnopqrstuv"}', { rules })) as never as {
    value: ToolAnswer;
  };
  expect(JSON.stringify(value.measured)).not.toMatch(/sk-/);
  expect(Object.values(value.measured!.checks!)).toEqual([true, true]);
});

test('a call that needs approval shows no secret that its model did not write', async () => {
  process.env['SHOP_TOKEN'] = 'a1b2c3d4e5f6a7b8c9d0';
  try {
    const input = z.object({ key: z.string(), token: z.string().default('a1b2c3d4e5f6a7b8c9d0') });
    const run = jest.fn<never, []>();
    const shop = actionThat(run, { input, approval: true, readOnly: false });
    const { value } = (await called(shop, false, '{"key":"sk-lmnopqrstuv"}')) as never as { value: ToolAnswer };
    expect(value).toMatchObject({ needsApproval: true, parsed: { shown: expect.stringContaining('sk-lmnopqrstuv') } });
    expect(JSON.stringify(value)).not.toContain('a1b2');
    const seen = { approved: true as const, seen: value.parsed!.digest };
    await called(shop, false, '{"key":"another"}', seen);
    expect(run).not.toHaveBeenCalled();
    await called(shop, false, '{"key":"sk-lmnopqrstuv"}', seen);
    expect(run).toHaveBeenCalledTimes(1);
  } finally {
    delete process.env['SHOP_TOKEN'];
  }
});

test('a check of changed arguments never calls the action', async () => {
  const run = jest.fn<never, []>();
  const shop = actionThat(run, { input: z.object({ n: z.number() }), approval: () => false });
  const checked = { action: '', checked: 'look' };
  expect(await called(shop, false, '{"n":"x"}', checked)).toMatchObject({ value: { invalid: true } });
  expect(await called(shop, false, '{"n":1}', checked)).not.toMatchObject({ value: { invalid: true } });
  expect(run).not.toHaveBeenCalled();
});
