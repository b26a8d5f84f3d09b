import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from '@temporalio/worker';
import type { Task } from '../../src/kinds/plan/contract/plan';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ReflectionClient } from '../../src/client';
import { dataConverterFrom } from '../../src/lib/storage';
import { startPluginWorld } from '../plugin/plugin-world';
import { paidCalls } from '../../src/apps/testing/scripted-model/ledger';
import { fails, large, passes } from '../../testing/support/large-outputs';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { inScriptedWorld } from '../../testing/support/scripted-world';
import { wholeHistory } from '../../testing/support/whole-history';

const check = (action = 'passes') => ({ type: 'function' as const, action });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const writes = (length: number, more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action: 'large', with: { length } },
  evaluator: check(),
  ...more,
});

const does = (id: string, length: number, dependsOn: string[] = []): Task => ({
  id,
  description: `Do ${id}`,
  step: { action: 'large', with: { length } },
  dependsOn,
});

const planOf = (tasks: Task[], state = {}) => ({
  goal: 'Much at once',
  enableLlmReflection: false,
  maxReplanningAttempts: 0,
  state,
  plan: { id: 'wide', tasks },
});

// Each call is bounded by itself; what goes out together, in one message or one history, was not.
describe('what is scheduled together', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [large, passes, fails] });
  });
  afterAll(() => world.close());

  test('three checks of 1.5 MB each go out in several messages, and a replay does the same', async () => {
    const { workflowId } = await world.client.start(writes(1_500_000, { evaluator: times(3, () => check()) }));
    expect(await world.client.result(workflowId)).toMatchObject({ success: true, convergenceReason: 'quality_met' });
    const history = await wholeHistory(world.client, workflowId);
    expect(history.events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    expect(history.events!.filter((event) => event.timerStartedEventAttributes).length).toBe(2);
    await Worker.runReplayHistory({ workflowsPath: require.resolve('../../src/workflows') }, history, workflowId);
  });

  test('80 tasks of a plan that are each given 60 KB of state', async () => {
    const plan = planOf(
      times(80, (index) => does(`t${index}`, 10)),
      { more: 'y'.repeat(60_000) },
    );
    const { result } = await world.client.plans.start(plan);
    const { success, results } = await result();
    expect([success, results.length]).toEqual([true, 80]);
  });

  test('five tasks that are each given the 1 MB of the task before them', async () => {
    const ids = times(5, (index) => `t${index}`);
    const tasks = [does('first', 1_000_000), ...ids.map((id) => does(id, 10, ['first']))];
    const { result } = await world.client.plans.start(planOf(tasks));
    const { success, results } = await result();
    expect([success, results.map(({ taskId }) => taskId)]).toEqual([true, ['first', ...ids]]);
  });

  test('as many function checks as a spec may have', async () => {
    const result = await world.client.run(writes(10, { evaluator: times(100, () => check()) }));
    expect(result).toMatchObject({ success: true, iterationsUsed: 1 });
    expect(result.finalEvaluation!.evaluators.length).toBe(100);
    await expect(world.client.run(writes(10, { evaluator: times(101, () => check()) }))).rejects.toMatchObject({
      type: 'InvalidSpec',
    });
  });

  test('a loop whose best and last output fit into no new run ends with its best before its history does', async () => {
    const { workflowId } = await world.client.start(
      writes(1_000_000, { evaluator: check('fails'), convergence: false, maxIterations: 40 }),
    );
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: false, exhausted: true, convergenceReason: 'error' });
    expect((result.finalOutput as string).length).toBe(1_000_000);
    expect(result.iterationsUsed).toBeGreaterThan(8);
    expect(result.history.versions.at(-1)!.warnings.join()).toMatch(/^OutputTooLarge: /);
    const { status, historySize } = await world.client.temporal.workflow.getHandle(workflowId).describe();
    expect([status.name, historySize! < 50 * 1_024 * 1_024]).toEqual(['COMPLETED', true]);
  });

  test('the same under raise fails with its type', async () => {
    const spec = writes(1_000_000, { evaluator: check('fails'), convergence: false, maxIterations: 40 });
    await expect(world.client.run({ ...spec, onFailure: 'raise' })).rejects.toMatchObject({
      type: 'ReflectionFailedError',
      message: expect.stringContaining('history'),
    });
  });

  test('100 tasks of a plan that each hand back 1 MB are carried out while the history has room, and the others fail', async () => {
    const { result, workflowId } = await world.client.plans.start(
      planOf(times(100, (index) => does(`t${index}`, 1_000_000))),
    );
    const { success, results } = await result();
    const errors = results.flatMap(({ error }) => error ?? []);
    expect([success, results.length, results.length - errors.length > 30]).toEqual([false, 100, true]);
    expect(errors.filter((error) => !error.startsWith('OutputTooLarge: the history of the run is full'))).toEqual([]);
    const { status } = await world.client.temporal.workflow.getHandle(workflowId).describe();
    expect(status.name).toBe('COMPLETED');
  }, 120_000);
});

test('loops within a workflow warn it, and end before its history does', async () => {
  const actions = [large, passes, fails];
  const world = await startPluginWorld({ actions }, { workflowsPath: require.resolve('./own-workflows-together') });
  try {
    const spec = writes(150_000, { evaluator: check('fails'), convergence: false, maxIterations: 200 });
    const handle = await world.temporal.workflow.start('manyLoops', {
      workflowId: `guests-${randomUUID()}`,
      taskQueue: world.taskQueue,
      args: [[spec, spec]],
    });
    const results = (await handle.result()) as { convergenceReason: string; warnings: string[]; length: number }[];
    for (const { convergenceReason, warnings, length } of results) {
      expect([convergenceReason, length]).toEqual(['error', 150_000]);
      expect(warnings.filter((text) => /grows long/.test(text)).length).toBe(1);
      expect(warnings.filter((text) => text.startsWith('OutputTooLarge: ')).length).toBe(1);
    }
    const { historySize, status } = await handle.describe();
    expect(status.name).toBe('COMPLETED');
    expect(historySize! / 1_024 / 1_024).toBeLessThan(36);
  } finally {
    await world.close();
  }
}, 240_000);

test('a run whose outputs are stored outside hands over by the bytes that it holds', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'together-'));
  const dataConverter = dataConverterFrom({ REFLECT_STORAGE: `folder:${folder}` })!;
  const actions = [large, passes, fails];
  const world = await startWorld({ actions, dataConverter });
  try {
    const address = { address: world.address, taskQueue: world.client.taskQueue };
    const client = await ReflectionClient.connect({ ...address, dataConverter });
    const { workflowId } = await client.start(
      writes(5_000_000, { evaluator: { type: 'regex', pattern: '^never' }, convergence: false, maxIterations: 8 }),
    );
    const result = await client.result(workflowId);
    expect(result).toMatchObject({ convergenceReason: 'max_iterations', iterationsUsed: 8 });
    // By history, a run of 50 iterations is short enough: it holds references only.
    const { firstExecutionRunId, runId } = await client.temporal.workflow
      .getHandle(workflowId)
      .describe()
      .then(({ raw, runId: last }) => ({ firstExecutionRunId: raw.workflowExecutionInfo!.firstRunId!, runId: last }));
    expect(runId).not.toBe(firstExecutionRunId);
    await client.close();
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 240_000);

test('a task whose run has an id that is taken fails, and the plan goes on', async () => {
  const world = await startWorld({ actions: [large, passes] });
  try {
    const id = `taken-${randomUUID()}`;
    const { temporal: client, taskQueue } = world.client;
    // Waits for a person: its id stays taken.
    const review = { when: 'on_satisfactory' as const };
    await client.workflow.start('reflectionLoop', {
      workflowId: `${id}/loop`,
      taskQueue,
      args: [writes(10, { review })],
    });
    const loop: Task = { id: 'loop', description: 'Loop', step: { loop: writes(10) } };
    const { result } = await world.client.plans.start(planOf([loop, does('other', 10)]), { workflowId: id });
    const { success, results } = await result();
    expect([success, results.map(({ taskId, error }) => [taskId, error])]).toEqual([
      false,
      [
        ['loop', expect.stringMatching(/^StepFailed: .*already started/)],
        ['other', undefined],
      ],
    ]);
    await client.workflow.getHandle(`${id}/loop`).terminate();
  } finally {
    await world.close();
  }
});

// One event, one batch: 2,700 critics are asked before anybody reflects, and the server takes 2,000 pending calls.
test('a batch of more calls than the server lets a run have pending goes out in parts', async () => {
  const script = [{ times: 'always' as const, reply: 'Raise the house.' }];
  await inScriptedWorld({ maxConcurrentModelCalls: 200 }, script, async ({ client, model }) => {
    const { workflowId } = await client.agents.start({
      agents: times(300, (index) => ({ id: `a${index}`, type: 'household_owner' })),
      config: { reflection: { method: 'llm', batchSize: 300, critics: times(9, (index) => `critic ${index}`) } },
      memory: { topK: 0 },
    });
    const answer = await client.agents.trigger(workflowId, { id: randomUUID(), kind: 'crisis', year: 1 });
    expect([answer.reflected.length, answer.skipped]).toEqual([300, []]);
    expect(paidCalls(model.ledger).length).toBe(3_000);
    await client.agents.finish(workflowId);
  });
}, 300_000);
