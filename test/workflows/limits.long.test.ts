import { randomUUID } from 'node:crypto';
import type { Task } from '../../src/kinds/plan/contract/plan';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { fails, large, passes } from '../../testing/support/large-outputs';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const writes = (length: number): ReflectionSpec => ({
  generator: { action: 'large', with: { length } },
  evaluator: { type: 'function', action: 'passes' },
});
const failing = { evaluator: { type: 'function', action: 'fails' }, convergence: false } as const;

// What the SDK or the server refuses of a workflow's own commands, it refuses for ever: such a run would never end.
describe('loops at the limits of what a history takes', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [large, passes, fails] });
  });
  afterAll(() => world.close());

  test('an output of nearly the largest size passes, and stands in the result once', async () => {
    const result = await world.client.run(writes(1_850_000));
    expect(result).toMatchObject({ convergenceReason: 'quality_met', success: true, bestOutput: null });
    expect((result.finalOutput as string).length).toBe(1_850_000);
  });

  test('best and last are handed back whole where they fit, without other copies', async () => {
    const result = await world.client.run({ ...writes(800_000), ...failing, onFailure: 'return_last' });
    expect([result.bestOutput, result.finalOutput].map((output) => (output as string).slice(0, 2))).toEqual([
      '1x',
      '3x',
    ]);
    expect(result.history.versions.map(({ omittedBytes }) => omittedBytes)).toEqual([800_002, 800_002, 800_002]);
  });

  test('raise tells the best attempt whole', async () => {
    const run = world.client.run({ ...writes(1_200_000), ...failing, onFailure: 'raise' });
    const { history } = await run.then(
      () => Promise.reject(new Error('it did not raise')),
      (error: { history: { output: string | null }[] }) => error,
    );
    expect(history.map(({ output }) => output?.length)).toEqual([1_200_000, undefined, undefined]);
  });

  test('a step that would be given more than fits ends the loop with what there is', async () => {
    const state = { more: 'y'.repeat(900_000) };
    // This one is no activity, and is given nothing.
    const evaluator = { type: 'regex' as const, pattern: '^never' };
    const result = await world.client.run({ ...writes(1_500_000), evaluator, convergence: false, state });
    expect(result).toMatchObject({ convergenceReason: 'error', iterationsUsed: 1 });
    expect((result.finalOutput as string).length).toBe(1_500_000);
  });

  test('tasks of a plan that would be given more than fits fail, and the plan ends', async () => {
    const does = (id: string, step: Task['step'], dependsOn: string[] = []): Task => ({
      id,
      description: `Do ${id}`,
      step,
      dependsOn,
    });
    const { generator } = writes(1_100_000);
    const { result } = await world.client.plans.start({
      goal: 'Too much',
      enableLlmReflection: false,
      maxReplanningAttempts: 0,
      plan: {
        id: 'large',
        tasks: [
          does('a', generator),
          does('b', generator),
          does('step', generator, ['a', 'b']),
          does('loop', { loop: writes(1) }, ['a', 'b']),
        ],
      },
    });
    const { success, results } = await result();
    expect(success).toBe(false);
    expect(results.map(({ taskId, error }) => [taskId, error])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['step', expect.stringMatching(/^OutputTooLarge: what the step is given has 22\d{5} bytes/)],
      ['loop', expect.stringMatching(/^OutputTooLarge: what the step is given has 22\d{5} bytes/)],
    ]);
  });

  test('nodes of a pipeline that would be given more than fits fail', async () => {
    const nodes = ['a', 'b'].map((name) => ({ name, action: 'large', with: { length: 940_000 }, output: name }));
    const { state } = await world.client.pipelines.run({ nodes });
    expect(Object.keys(state)).toEqual(['a', 'b']);
    const asked = {
      name: 'asked',
      action: 'reflection.loop',
      with: { ...writes(1), state: { more: 'y'.repeat(300_000) } },
    };
    await expect(world.client.pipelines.run({ nodes: [...nodes, asked] as never })).rejects.toMatchObject({
      type: 'OutputTooLarge',
    });
  });

  test('a plan or a pipeline with an id below which no loop fits fails with words', async () => {
    const workflowId = `${randomUUID()}${'p'.repeat(900)}`;
    const name = 't'.repeat(90);
    const loop = writes(1);
    const plan = { id: 'p', tasks: [{ id: name, description: 'Do it', step: { loop } }] };
    const { result } = await world.client.plans.start({ goal: 'Far down', plan }, { workflowId });
    // The whole plan is looked at before its first task is paid for.
    await expect(result()).rejects.toMatchObject({
      type: 'InvalidSpec',
      message: expect.stringMatching(/tasks.*id.*too long/),
    });
    const pipeline = { nodes: [{ name, action: 'reflection.loop', with: loop }] };
    const reference = await world.client.pipelines.start(pipeline as never, { workflowId: `${workflowId}2` });
    await expect(world.client.pipelines.result(reference.workflowId)).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringContaining('start this run with a shorter id'),
    });
  });

  test('no time for retries leaves the first attempt its own, and lets no second one come', async () => {
    const model = await ScriptedOpenAI.start({
      script: [
        { match: 'slowly', reply: 'done', delayMs: 400 },
        { match: 'away', times: 'always', status: 503 },
      ],
    });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    try {
      const asks = (prompt: string, retryFor: number): ReflectionSpec => {
        return { ...writes(1), generator: { action: 'llm.call', prompt }, timeouts: { retryFor } };
      };
      const { workflowId } = await world.client.start(asks('Write slowly', 0.1));
      expect(await world.client.result(workflowId)).toMatchObject({ success: true, finalOutput: 'done' });
      const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
      expect(events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
      const started = performance.now();
      const failed = world.client.run(asks('Be away', 500));
      await expect(failed).rejects.toMatchObject({ type: 'Model.Unavailable' });
      // One attempt may take two minutes.
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(model.ledger.filter(({ status }) => status === 503)).toHaveLength(1);
    } finally {
      delete process.env['OPENAI_BASE_URL'];
      await model.close();
    }
  });

  test('names as long as they may be', async () => {
    const name = 'n'.repeat(200);
    const evaluator = [
      { type: 'function' as const, action: 'passes', name },
      { type: 'schema' as const, schema: {}, name: `${name.slice(1)}2` },
    ];
    const result = await world.client.run({ ...writes(1), evaluator, name: '&'.repeat(200) });
    expect(result.finalEvaluation?.evaluators.map((each) => each.name.length).toSorted()).toEqual([200, 200]);
  });
});
