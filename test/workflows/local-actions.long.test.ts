import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

let flaky = 0;
const local = { description: 'Cheap.', input: z.record(z.string(), z.unknown()), local: true };
const actions = [
  defineAction({ ...local, name: 'write', run: (_input, { iteration }) => `text ${iteration}` }),
  defineAction({
    ...local,
    name: 'large',
    run: ({ length = 900_000 }, { iteration }) => `${iteration}`.padEnd(Number(length), 'x'),
  }),
  defineAction({ ...local, name: 'fails', run: () => false }),
  defineAction({ ...local, name: 'note', run: () => 'noted' }),
  defineAction({ ...local, name: 'look_up', run: () => 'found' }),
  defineAction({
    ...local,
    name: 'flaky',
    run() {
      flaky += 1;
      if (flaky < 3) throw ApplicationFailure.retryable('not yet', 'Busy');
      return 'at last';
    },
  }),
  defineAction({
    ...local,
    name: 'busy',
    run() {
      throw ApplicationFailure.retryable('not now', 'Busy');
    },
  }),
  defineAction({ ...local, name: 'hangs', run: () => new Promise<never>(() => undefined) }),
  defineAction({
    ...local,
    name: 'throws',
    run() {
      throw new Error('it is broken');
    },
  }),
];

const failing = { evaluator: { type: 'function', action: 'fails' }, convergence: false } as const;

describe('actions that are local', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({
      script: [{ toolCalls: [{ name: 'look_up', arguments: {} }] }, { reply: 'an answer' }],
    });
    const models = [{ name: 'm', model: 'm', baseUrl: openai.baseUrl }];
    world = await startWorld({ actions, models });
  });
  afterAll(async () => {
    await world.close();
    await openai.close();
  });

  /** Names of the ordinary activities in a run's history, and how many tasks decided it. */
  async function historyOf(workflowId: string): Promise<{ scheduled: string[]; tasks: number }> {
    const { events = [] } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = events!.flatMap(
      ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name ?? [],
    );
    const tasks = events!.filter(({ workflowTaskCompletedEventAttributes: task }) => task).length;
    return { scheduled, tasks };
  }

  test('run where the workflow runs: a loop of them is one workflow task', async () => {
    const workflowId = randomUUID();
    const spec: ReflectionSpec = {
      generator: { action: 'write' },
      corrector: { action: 'write' },
      hooks: { onGeneration: 'note', onRevision: 'note' },
      ...failing,
    };
    const result = await world.client.run(spec, { workflowId });
    expect(result.history.versions.map(({ output }) => output)).toEqual(['text 1', 'text 2', 'text 3']);
    expect(await historyOf(workflowId)).toEqual({ scheduled: [], tasks: 1 });
  });

  test('are local as tools, too, and the model calls beside them are not', async () => {
    const workflowId = randomUUID();
    const generator = { action: 'llm.call', prompt: 'Ask.', tools: ['look_up'] } as const;
    await world.client.run({ generator, evaluator: { type: 'schema', schema: {} } }, { workflowId });
    const { scheduled } = await historyOf(workflowId);
    expect(scheduled.map((name) => name.replace(/^reflection\./, ''))).toEqual(['generate', 'generate']);
  });

  test('are local in pipelines and plans', async () => {
    const [pipeline, plan] = [randomUUID(), randomUUID()];
    const nodes = [{ name: 'one', action: 'write', with: {}, output: 'one' }];
    const { state } = await world.client.pipelines.run({ nodes }, { workflowId: pipeline });
    expect(state).toMatchObject({ one: 'text 1' });
    expect(await historyOf(pipeline)).toMatchObject({ scheduled: [] });
    const task = { id: 'a', description: 'Write.', step: { action: 'write' } };
    const result = await world.client.plans.run(
      { goal: 'A text.', plan: { id: 'p', tasks: [task] }, enableLlmReflection: false },
      { workflowId: plan },
    );
    expect(result).toMatchObject({ success: true, results: [{ output: 'text 1' }] });
    expect(await historyOf(plan)).toMatchObject({ scheduled: [] });
  });

  test('are tried again, and fail for good, as others are', async () => {
    const evaluator = { type: 'regex', pattern: 'last' } as const;
    expect(await world.client.run({ generator: { action: 'flaky' }, evaluator })).toMatchObject({
      success: true,
      finalOutput: 'at last',
    });
    expect(flaky).toBe(3);
    await expect(world.client.run({ generator: { action: 'throws' }, evaluator })).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringContaining('it is broken'),
    });
  });

  test.each([
    ['busy', { type: 'Busy', message: expect.stringContaining('not now') as unknown }],
    ['hangs', { type: 'StepFailed', message: expect.stringMatching(/generator/) as unknown }],
  ])('are not tried again after their time: %s', async (action, failure) => {
    const evaluator = { type: 'regex', pattern: 'x' } as const;
    const timeouts = { retryFor: 2_000, step: 1_500 };
    const began = Date.now();
    await expect(world.client.run({ generator: { action }, evaluator, timeouts })).rejects.toMatchObject(failure);
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  test.each(['busy', 'hangs'])('end with the time budget: %s', async (action) => {
    const spec: ReflectionSpec = {
      generator: { action: 'write' },
      corrector: { action },
      budget: { wallClock: 2_000 },
      timeouts: { step: 500 },
      ...failing,
    };
    const began = Date.now();
    const result = await world.client.run(spec);
    expect(result).toMatchObject({ convergenceReason: 'time_budget', iterationsUsed: 1, finalOutput: 'text 1' });
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  test('that fail after the draft end the loop with what it has', async () => {
    const evaluator = { type: 'regex', pattern: 'never' } as const;
    const result = await world.client.run({
      generator: { action: 'write' },
      corrector: { action: 'throws' },
      evaluator,
    });
    expect(result).toMatchObject({ success: false, convergenceReason: 'error', bestOutput: 'text 1' });
    expect(result.history.versions).toHaveLength(1);
  });

  test('of large outputs do not make one message of all: the server would terminate the run', async () => {
    const workflowId = randomUUID();
    const spec: ReflectionSpec = { generator: { action: 'large' }, corrector: { action: 'large' }, ...failing };
    const result = await world.client.run({ ...spec, maxIterations: 12 }, { workflowId });
    expect(result).toMatchObject({ convergenceReason: 'max_iterations', iterationsUsed: 12 });
    // The second takes the place of the first, and both stand beside the result.
    const nodes = [1_000_000, 1_890_000].map((length, index) => ({
      name: `n${index}`,
      action: 'large',
      with: { length },
      output: 'text',
    }));
    const { state } = await world.client.pipelines.run({ nodes });
    expect((state['text'] as string).length).toBe(1_890_000);
  });
});
