import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { defineSpec, ReflectionClient, type ReflectionSpec, type RunReference } from '../../src';
import { NoAnswerError } from '../../src/loop/errors/call-errors';
import {
  InvalidSpecError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
  WrongKindError,
} from '../../src/loop/errors/errors';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testAddress } from '../../testing/support/temporal-server';

const write = defineAction({
  name: 'write',
  description: 'Writes.',
  input: z.unknown(),
  run: () => ({ day: '2026-01-02' }),
});
const fail = defineAction({
  name: 'fail',
  description: 'Fails.',
  input: z.unknown(),
  run: () => {
    throw ApplicationFailure.nonRetryable('No paper.', 'OutOfPaper');
  },
});

const passes: ReflectionSpec = { generator: { action: 'write' }, evaluator: { type: 'regex', pattern: '2026' } };
const fails: ReflectionSpec = { ...passes, evaluator: { type: 'regex', pattern: 'never' }, maxIterations: 1 };
const waits: ReflectionSpec = { ...passes, review: { when: 'every_iteration' } };

const isWaiting = (client: ReflectionClient, run: RunReference) =>
  eventually(
    async () => (await client.progress(run)).phase,
    (phase) => phase === 'waiting',
  );

interface Outcome {
  begin(client: ReflectionClient): Promise<RunReference>;
  expected: object;
}

/** Runs that ended, in every way in which a run ends. */
const OUTCOMES: Record<string, Outcome> = {
  passed: {
    begin: (client) => client.start(passes),
    expected: { status: 'completed', result: { success: true, convergenceReason: 'quality_met' } },
  },
  'was not good enough': {
    begin: (client) => client.start(fails),
    expected: { status: 'completed', result: { success: false, convergenceReason: 'max_iterations' } },
  },
  'was accepted': {
    async begin(client) {
      const run = await client.start(waits);
      await isWaiting(client, run);
      await client.accept(run);
      return run;
    },
    expected: { status: 'completed', result: { success: true, convergenceReason: 'user_accepted' } },
  },
  'was aborted': {
    async begin(client) {
      const run = await client.start(waits);
      await client.abort(run);
      return run;
    },
    expected: { status: 'completed', result: { success: false, convergenceReason: 'aborted' } },
  },
  raised: {
    begin: (client) => client.start({ ...fails, onFailure: 'raise' }),
    expected: { status: 'failed', error: expect.any(ReflectionFailedError) as Error },
  },
  'failed in a step': {
    begin: (client) => client.start({ ...passes, generator: { action: 'fail' } }),
    expected: { status: 'failed', error: expect.any(RunFailedError) as Error },
  },
  'named an action that its worker lacks': {
    begin: (client) => client.start({ ...passes, generator: { action: 'nobody.has.this' } }),
    expected: { status: 'failed', error: { type: 'UnknownAction' } },
  },
  'had a spec that its worker refused': {
    begin: (client) => client.start({ ...passes, evaluator: { type: 'schema', schema: { type: 'poem' } } }),
    expected: { status: 'failed', error: expect.any(InvalidSpecError) as Error },
  },
  'was terminated': {
    async begin(client) {
      const run = await client.start(waits);
      await client.temporal.workflow.getHandle(run.workflowId).terminate('enough');
      return run;
    },
    expected: { status: 'failed', error: { type: 'Terminated' } },
  },
  'was cancelled': {
    async begin(client) {
      const run = await client.start(waits);
      await isWaiting(client, run);
      await client.temporal.workflow.getHandle(run.workflowId).cancel();
      return run;
    },
    expected: { status: 'failed', error: { type: 'Cancelled' } },
  },
  'timed out': {
    begin: (client) => client.start(waits, { workflowExecutionTimeout: '1 second' }),
    expected: { status: 'failed', error: { type: 'TimedOut' } },
  },
};

const typed = defineSpec({
  generator: { action: 'write' },
  evaluator: { type: 'schema', schema: z.object({ day: z.iso.date().transform((day) => new Date(day)) }) },
});

describe('runs that have ended, whose worker is gone', () => {
  const taskQueue = `gone-${randomUUID()}`;
  const runs = new Map<string, RunReference>();
  let connection: Connection;
  let client: ReflectionClient;
  let twice: [RunReference, RunReference];

  beforeAll(async () => {
    const world = await startWorld({ actions: [write, fail], taskQueue });
    try {
      for (const [name, { begin }] of Object.entries(OUTCOMES)) runs.set(name, await begin(world.client));
      runs.set('typed', await world.client.start(typed));
      const evaluation = { evaluator: { type: 'regex' as const, pattern: 'x' }, data: 'x' };
      runs.set('an evaluation', await world.client.evaluations.start(evaluation));
      const workflowId = randomUUID();
      const first = await world.client.start(passes, { workflowId });
      await world.client.result(first);
      twice = [first, await world.client.start(fails, { workflowId })];
      const ends = [...runs.values(), twice[1]].map(async (run) => world.client.result(run).catch(() => undefined));
      await Promise.all(ends);
    } finally {
      await world.close();
    }
    connection = await Connection.connect({ address: testAddress() });
    client = new ReflectionClient(new Client({ connection }), taskQueue);
  });
  afterAll(() => connection.close());

  test.each(Object.entries(OUTCOMES))('one that %s', async (name, { expected }) => {
    const { workflowId } = runs.get(name)!;
    const found = await client.get(workflowId);
    expect(found).toMatchObject({ workflowId, ...expected });
    // What `result` returns or throws of it.
    const ended = client.result(workflowId);
    if (found.status === 'completed') expect(await ended).toEqual(found.result);
    else await expect(ended).rejects.toEqual((found as { error: Error }).error);
    expect(await client.get(runs.get(name)!)).toEqual(found);
  });

  test('one of a typed spec has outputs of its type, by the run or by a schema', async () => {
    const run = runs.get('typed')! as Awaited<ReturnType<typeof client.start<unknown, { day: Date }>>>;
    const found = await client.get(run);
    expect(found.status === 'completed' && found.result.finalOutput?.day).toEqual(new Date('2026-01-02'));
    const output = z.object({ day: z.string() });
    const other = await client.get(run.workflowId, { output });
    expect(other.status === 'completed' && other.result.finalOutput?.day).toBe('2026-01-02');
    await expect(client.get(run.workflowId, { output: z.string() })).rejects.toMatchObject({
      type: 'UnexpectedOutput',
    });
  });

  test('two of one id are told apart', async () => {
    expect(await client.get(twice[0])).toMatchObject({ ...twice[0], result: { success: true } });
    expect(await client.get(twice[1])).toMatchObject({ ...twice[1], result: { success: false } });
    expect(await client.get(twice[0].workflowId)).toMatchObject({ ...twice[1], result: { success: false } });
  });

  test('an id without a run, and a run of another kind, have errors of their own', async () => {
    await expect(client.get(randomUUID())).rejects.toThrow(RunNotFoundError);
    const { workflowId } = runs.get('an evaluation')!;
    await expect(client.get(workflowId)).rejects.toThrow(
      new WrongKindError(workflowId, 'reflectionEvaluate', 'reflectionLoop'),
    );
  });
});

describe('runs that go on', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [write] });
  });
  afterAll(() => world.close());

  test('say their progress', async () => {
    const run = await world.client.start(waits);
    await isWaiting(world.client, run);
    const found = await world.client.get(run.workflowId);
    expect(found).toMatchObject({ workflowId: run.workflowId, status: 'running', progress: { phase: 'waiting' } });
    await world.client.abort(run);
  });

  test('without a worker have no answer, and none is waited for once one has ended', async () => {
    const run = await world.client.start(waits, { taskQueue: `nobody-${randomUUID()}` });
    await expect(world.client.get(run, { timeout: 500 })).rejects.toThrow(NoAnswerError);
    const found = world.client.get(run, { timeout: 2_000 });
    await world.client.temporal.workflow.getHandle(run.workflowId).terminate();
    expect(await found).toMatchObject({ status: 'failed', error: { type: 'Terminated' } });
  });
});
