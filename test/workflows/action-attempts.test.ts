import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type Action, type ActionContext, defineAction } from '../../src/worker';
import { lacks } from '../../src/worker/sdk/sdk-gaps';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

type Seen = Pick<ActionContext, 'attempt' | 'idempotencyKey' | 'iteration'> & { action: string };

const seen = new Map<string, Seen[]>();

/** An action that notes each attempt under the id of its run, and then does something. */
function noting(
  name: string,
  run: (context: ActionContext) => Json | Promise<Json>,
  more: Partial<Pick<Action, 'maximumAttempts' | 'local'>> = {},
): Action {
  return defineAction({
    name,
    description: name,
    input: z.unknown(),
    ...more,
    run: async (_input, context) => {
      const { workflowId, attempt, idempotencyKey, iteration } = context;
      seen.set(workflowId, [...(seen.get(workflowId) ?? []), { action: name, attempt, idempotencyKey, iteration }]);
      return run(context);
    },
  });
}

const again = (): never => {
  throw ApplicationFailure.create({ type: 'Busy', message: 'come again', nextRetryDelay: 50 });
};
const never = (): Promise<Json> => new Promise(() => undefined);

const actions = [
  noting('third time', ({ attempt, iteration }) => (attempt < 3 ? again() : { done: iteration === 2 })),
  noting('third time nearby', ({ attempt, iteration }) => (attempt < 3 ? again() : { done: iteration === 2 }), {
    local: true,
  }),
  noting('judges', () => ({ score: 1 })),
  noting('told', () => null),
  noting('twice', again, { maximumAttempts: 2 }),
  noting('once', never, { maximumAttempts: 1 }),
];

const spec = (action: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action },
  evaluator: [
    { type: 'schema', schema: { properties: { done: { const: true } } } },
    { type: 'function', action: 'judges' },
  ],
  ...more,
});

/** By way of the task queue, and where the workflow runs. */
const THIRD_TIME = ['third time', 'third time nearby'];

describe('attempts of an action', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions, recovery: 'fast' });
  }, 60_000);
  afterAll(() => world?.close());

  test.each(THIRD_TIME)('all attempts of a call have one key, and every call another: %s', async (action) => {
    const { workflowId } = await world.client.start(spec(action, { hooks: { onGeneration: 'told' } }));
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    const calls = grouped(workflowId);
    const attempts = calls.map(([first, ...others]) => [
      first.action,
      first.iteration,
      [first, ...others].map(({ attempt }) => attempt),
    ]);
    expect(new Set(attempts.map((each) => JSON.stringify(each)))).toEqual(
      new Set(
        [
          [action, 1, [1, 2, 3]],
          [action, 2, [1, 2, 3]],
          ['judges', 1, [1]],
          ['judges', 2, [1]],
          ['told', 1, [1]],
          ['told', 2, [1]],
        ].map((each) => JSON.stringify(each)),
      ),
    );
    expect(attempts).toHaveLength(6);
    const { runId } = await world.client.temporal.workflow.getHandle(workflowId).describe();
    for (const [{ idempotencyKey }] of calls) expect(idempotencyKey.startsWith(`${runId}/`)).toBe(true);
  });

  test.each(THIRD_TIME)('each node of a pipeline has a key of its own: %s', async (action) => {
    const nodes = ['one', 'two', 'three'].map((name) => ({ name, action, output: name }));
    const { workflowId, runId } = await world.client.pipelines.start({ nodes });
    await world.client.pipelines.result(workflowId);
    assertCalls(workflowId, runId, 3);
  });

  test.each(THIRD_TIME)('each task of a plan has a key of its own, side by side and in turn: %s', async (action) => {
    const tasks = ['one', 'two', 'three'].map((id) => ({
      id,
      description: `Do ${id}`,
      step: { action, with: {} },
      ...(id === 'three' ? { dependsOn: ['one', 'two'] } : {}),
    }));
    const { workflowId, runId } = await world.client.plans.start({
      goal: 'Do all.',
      enableLlmReflection: false,
      plan: { id: 'all', tasks },
    });
    expect(await world.client.plans.result(workflowId)).toMatchObject({ success: true });
    assertCalls(workflowId, runId, 3);
  });

  // As `temporal workflow reset` does.
  test.each(THIRD_TIME)('calls that a reset run makes again have the keys that they had: %s', async (action) => {
    const { client } = world;
    const { workflowId, runId } = await client.start(spec(action, { hooks: { onGeneration: 'told' } }));
    await client.result(workflowId);
    const before = grouped(workflowId);
    seen.delete(workflowId);
    const { workflow } = client.temporal;
    const { events } = await workflow.getHandle(workflowId).fetchHistory();
    const tasks = events!.filter((event) => event.workflowTaskCompletedEventAttributes);
    // The first draft and its hook stay; what comes after is made again.
    const told = events!.findIndex(({ activityTaskCompletedEventAttributes: done }) => {
      const scheduled = events!.find(({ eventId }) => eventId?.equals(done?.scheduledEventId ?? 0));
      return scheduled?.activityTaskScheduledEventAttributes?.activityType?.name === 'reflection.hook';
    });
    const { eventId } = tasks.find((task) => events!.indexOf(task) > told)!;
    const reset = await workflow.workflowService.resetWorkflowExecution({
      namespace: workflow.options.namespace,
      workflowExecution: { workflowId, runId },
      reason: 'a test',
      requestId: randomUUID(),
      workflowTaskFinishEventId: eventId!,
    });
    expect(reset.runId).not.toBe(runId);
    expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 2 });
    const after = grouped(workflowId);
    const told1 = before.filter(([{ action: name, iteration }]) => iteration === 1 && name !== 'judges');
    expect(told1).toHaveLength(2);
    const kept = new Set(told1.map(([{ idempotencyKey }]) => idempotencyKey));
    const asBefore = described(before.filter(([{ idempotencyKey }]) => !kept.has(idempotencyKey)));
    // An SDK that does not tell which run was reset has keys of the new one.
    const named = lacks('keysAfterReset') ? reset.runId : runId;
    expect(described(after)).toEqual(asBefore.map((call) => call.replace(runId, named)));
  });

  test('maximumAttempts bounds attempts that fail', async () => {
    const { workflowId } = await world.client.start(spec('twice'));
    await expect(world.client.result(workflowId)).rejects.toMatchObject({
      type: 'Busy',
      message: expect.stringMatching(/come again/),
    });
    expect(seen.get(workflowId)!.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('maximumAttempts bounds attempts that are lost: with 1 an action is begun once', async () => {
    const { workflowId } = await world.client.start(spec('once', { timeouts: { step: '1s' } }));
    await expect(world.client.result(workflowId)).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringMatching(/action "once" may be begun once/),
    });
    expect(seen.get(workflowId)).toHaveLength(1);
  }, 60_000);
});

test.each([0, -1, 1.5, Number.NaN])('maximumAttempts of %p is refused when the worker is made', (maximumAttempts) => {
  expect(() => createActionRegistry([noting('a', () => null, { maximumAttempts })])).toThrow(
    /maximumAttempts of the action "a"/,
  );
});

/** The attempts of each call of a run. */
function grouped(workflowId: string): [Seen, ...Seen[]][] {
  const calls = new Map<string, [Seen, ...Seen[]]>();
  for (const one of seen.get(workflowId)!) {
    const earlier = calls.get(one.idempotencyKey);
    calls.set(one.idempotencyKey, earlier ? [...earlier, one] : [one]);
  }
  return [...calls.values()];
}

/** Each call with its key and the numbers of its attempts. */
function described(calls: Seen[][]): string[] {
  return calls
    .map((attempts) => {
      const [{ idempotencyKey, action, iteration }] = attempts as [Seen, ...Seen[]];
      return `${idempotencyKey} ${action} #${iteration}: ${attempts.map(({ attempt }) => attempt).join()}`;
    })
    .toSorted();
}

/** That so many calls were made, each with a key of its own, in three attempts. */
function assertCalls(workflowId: string, runId: string, count: number): void {
  const calls = grouped(workflowId);
  expect(calls.map((attempts) => attempts.map(({ attempt }) => attempt))).toEqual(
    Array.from({ length: count }, () => [1, 2, 3]),
  );
  for (const [{ idempotencyKey }] of calls) expect(idempotencyKey.startsWith(`${runId}/`)).toBe(true);
}
