import { randomUUID } from 'node:crypto';
import type { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { BatchLines } from '../../src/kinds/batch/contract/batch-results';
import type { Json } from '../../src/lib/json/json';
import { InvalidConfigError } from '../../src/loop/errors/errors';
import { defineAction } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const CUT = 'Agent\ud83d';

const fails = defineAction({
  name: 'fails',
  description: 'Fails with half a character.',
  input: z.object({}),
  run: () => {
    throw ApplicationFailure.create({
      type: CUT,
      message: `no ${CUT}`,
      nonRetryable: true,
      cause: new Error(`because of ${CUT}`),
    });
  },
});
const works = defineAction({ name: 'works', description: 'Works.', input: z.object({}), run: () => 'done' });

// Half of a surrogate pair in a string of the protocol ended the worker that sent it, and each one after it.
describe('half a character in what a worker sends', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  let script: ScriptEntry[] = [];
  let prompt = '';
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({
      script: ({ last }) => {
        prompt = last;
        return script.shift();
      },
    });
    world = await startWorld({
      actions: [fails, works],
      models: [{ name: 'any', model: 'any', baseUrl: openai.baseUrl }],
    });
  });
  afterAll(async () => {
    await world?.close();
    await openai?.close();
  });

  const evaluator = { type: 'regex' as const, pattern: 'done' };
  const good = { generator: { action: 'works' }, evaluator, maxIterations: 1 };

  const review = { when: 'on_satisfactory' as const, timeout: '1m' as const, onTimeout: 'stop' as const };

  /** Starts a run as clients of other languages do: nothing is checked on the way. */
  async function endOf(type: string, argument: unknown, workflowId = `cut-${randomUUID()}`): Promise<unknown> {
    const { client } = world;
    const handle = await client.temporal.workflow.start(type, {
      workflowId,
      taskQueue: client.taskQueue,
      args: [argument],
    });
    return handle.result().catch((error: WorkflowFailedError) => error.cause);
  }

  afterEach(async () => {
    // On the same worker.
    expect(await world.client.run(good, { timeout: '10s' })).toMatchObject({ success: true });
  });

  test.each<[string, string, Json, string]>([
    ['a workflow that is called', 'reflectionLoop', { ...good, generator: { workflow: CUT } }, '/generator/workflow'],
    [
      'a task queue',
      'reflectionLoop',
      { ...good, generator: { workflow: 'a', taskQueue: CUT } },
      '/generator/taskQueue',
    ],
    [
      'an evaluator that is a workflow',
      'reflectionLoop',
      { ...good, evaluator: { type: 'workflow', workflow: CUT } },
      '/evaluator/workflow',
    ],
    ['a node', 'reflectionPipeline', { nodes: [{ name: CUT, uses: 'reflection.loop', with: good }] }, '/nodes/0/name'],
    [
      'a task',
      'planReflection',
      { goal: 'Go.', plan: { id: 'p', tasks: [{ id: CUT, description: 'Go.', step: { loop: good } }] } },
      '/plan/tasks/0/id',
    ],
    ['an agent', 'agentReflection', { agents: [{ id: CUT, type: 'owner' }] }, '/agents/0/id'],
  ])('in the name of %s: the run is refused with its place', async (_what, type, argument, path) => {
    expect(await endOf(type, argument)).toMatchObject({
      type: 'InvalidSpec',
      details: [[{ path, message: expect.stringContaining('half of a surrogate pair') as string }]],
    });
  });

  test('in the id of an item that was uploaded before: it gets a run whose id is well-formed', async () => {
    const { client } = world;
    const batch = `cut-${randomUUID()}`;
    const page = { batch, page: 0, loop: good, items: [{ index: 0, id: CUT, state: {} }], done: [], attempt: 1 };
    // What a page tells its batch has to arrive somewhere.
    await client.start({ ...good, review }, { workflowId: batch });
    const handle = await client.temporal.workflow.start('reflectionBatchPage', {
      workflowId: `${batch}/page`,
      taskQueue: client.taskQueue,
      args: [page],
    });
    const preparation = { retryForMs: 1_000 };
    await handle.signal('grant', { number: 1, slots: 1, reportEvery: 1, preparation });
    const statusOf = async () => (await handle.query<BatchLines>('lines')).lines[0]!.status;
    await eventually(statusOf, (status) => !['not_started', 'running'].includes(status));
    expect(await statusOf()).toBe('passed');
    await handle.signal('finish');
    await client.abort(batch);
    expect(await client.result(`${batch}/Agent\ufffd`)).toMatchObject({ success: true });
  });

  test('in the failure of an action: the run fails with it', async () => {
    const ended = await endOf('reflectionLoop', { ...good, generator: { action: 'fails' } });
    expect(ended).toMatchObject({ message: expect.stringContaining('no Agent\ufffd') as string });
  });

  test('in the id of a task that a planner made up: the planner is told, and asked again', async () => {
    const task = { description: 'Go.', step: { action: 'works' } };
    script = [{ reply: { tasks: [{ ...task, id: CUT }] } }, { reply: { tasks: [{ ...task, id: 'go' }] } }];
    const plan = await endOf('planReflection', { goal: 'Go.', enableLlmReflection: false });
    expect(plan).toMatchObject({ success: true, results: [{ taskId: 'go' }] });
    expect(prompt).toContain('half of a surrogate pair');
  });

  test('in what a person says: the command is taken, and the run goes on', async () => {
    const { client } = world;
    const run = await client.start({ ...good, review, maxIterations: 3 });
    await client.guide(run, { text: `more ${CUT}`, by: CUT, id: CUT });
    await eventually(
      () => client.progress(run),
      ({ phase }) => phase === 'waiting',
    );
    const ended = await client.accept(run, { by: CUT, id: `${CUT} 2` });
    expect(ended.phase).toBe('done');
    expect(await run.result()).toMatchObject({ success: true });
  });

  test('in an id or a queue that a client is given: nothing is sent', async () => {
    const { client } = world;
    for (const options of [{ workflowId: CUT }, { taskQueue: CUT }, { memo: { [CUT]: 1 } }, { workflowId: 'a\0' }]) {
      await expect(client.start(good, options)).rejects.toThrow(InvalidConfigError);
    }
    await expect(client.progress(CUT)).rejects.toThrow('half of a surrogate pair');
    await expect(client.batches.progress(CUT)).rejects.toThrow(InvalidConfigError);
  });
});
