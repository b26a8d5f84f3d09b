import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { createActionRegistry } from '../../src/actions';
import type { Json } from '../../src/domain/json';
import type { ReflectionSpec } from '../../src/domain/spec';
import { type Action, type ActionContext, defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../support/loop-world';

type Seen = Pick<ActionContext, 'attempt' | 'idempotencyKey' | 'iteration'> & { action: string };

const seen = new Map<string, Seen[]>();

/** An action that notes each attempt under the id of its run, and then does something. */
function noting(name: string, run: (context: ActionContext) => Json | Promise<Json>, maximumAttempts?: number): Action {
  return defineAction({
    name,
    description: name,
    input: z.unknown(),
    ...(maximumAttempts === undefined ? {} : { maximumAttempts }),
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
  noting('judges', () => ({ score: 1 })),
  noting('told', () => null),
  noting('twice', again, 2),
  noting('once', never, 1),
];

const spec = (action: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action },
  evaluator: [
    { type: 'schema', schema: { properties: { done: { const: true } } } },
    { type: 'function', action: 'judges' },
  ],
  ...more,
});

describe('D3 attempts of an action', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions, recovery: 'fast' });
  }, 60_000);
  afterAll(() => world?.close());

  test('D3 all attempts of a call have one key, and every call another', async () => {
    const { workflowId } = await world.client.start(spec('third time', { hooks: { onGeneration: 'told' } }));
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    const calls = grouped(workflowId);
    const attempts = calls.map(([first, ...others]) => [
      first!.action,
      first!.iteration,
      [first!, ...others].map(({ attempt }) => attempt),
    ]);
    expect(new Set(attempts.map((each) => JSON.stringify(each)))).toEqual(
      new Set(
        [
          ['third time', 1, [1, 2, 3]],
          ['third time', 2, [1, 2, 3]],
          ['judges', 1, [1]],
          ['judges', 2, [1]],
          ['told', 1, [1]],
          ['told', 2, [1]],
        ].map((each) => JSON.stringify(each)),
      ),
    );
    expect(attempts).toHaveLength(6);
    const { runId } = await world.client.temporal.workflow.getHandle(workflowId).describe();
    for (const [{ idempotencyKey }] of calls as [Seen][]) expect(idempotencyKey.startsWith(`${runId}/`)).toBe(true);
  });

  test('D3 maximumAttempts bounds attempts that fail', async () => {
    const { workflowId } = await world.client.start(spec('twice'));
    await expect(world.client.result(workflowId)).rejects.toMatchObject({
      type: 'Busy',
      message: expect.stringMatching(/come again/),
    });
    expect(seen.get(workflowId)!.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('D3 maximumAttempts bounds attempts that are lost: with 1 an action is begun once', async () => {
    const { workflowId } = await world.client.start(spec('once', { timeouts: { step: '1s' } }));
    await expect(world.client.result(workflowId)).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringMatching(/action "once" may be begun once/),
    });
    expect(seen.get(workflowId)).toHaveLength(1);
  }, 60_000);
});

test.each([0, -1, 1.5, Number.NaN])(
  'D3 maximumAttempts of %p is refused when the worker is made',
  (maximumAttempts) => {
    expect(() => createActionRegistry([noting('a', () => null, maximumAttempts)])).toThrow(
      /maximumAttempts of the action "a"/,
    );
  },
);

/** The attempts of each call of a run. */
function grouped(workflowId: string): Seen[][] {
  const calls = new Map<string, Seen[]>();
  for (const one of seen.get(workflowId)!)
    calls.set(one.idempotencyKey, [...(calls.get(one.idempotencyKey) ?? []), one]);
  return [...calls.values()];
}
