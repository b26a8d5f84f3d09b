import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { eventually } from '../../testing/support/eventually';

/** Never answers, and notes that it was asked. */
let asked = 0;
const hanging = defineAction({
  name: 'hangs',
  description: 'Never answers.',
  input: z.object({}),
  run: (_input, { signal }) => {
    asked += 1;
    return new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over'))));
  },
});
const writing = defineAction({
  name: 'writes',
  description: 'Writes a draft.',
  input: z.object({}),
  run: () => 'a draft',
});

const stuck: ReflectionSpec = {
  generator: { action: 'writes' },
  corrector: { action: 'hangs' },
  evaluator: { type: 'regex', pattern: 'never' },
  convergence: false,
};
const waiting: ReflectionSpec = { ...stuck, maxIterations: 1, review: { when: 'on_exhausted' } };

describe('accept and abort answer with the state after they took effect', () => {
  let world: LoopWorld;

  beforeAll(async () => {
    world = await startWorld({ actions: [hanging, writing] });
  });
  afterAll(() => world.close());

  async function start(spec: ReflectionSpec, phase: string): Promise<string> {
    asked = 0;
    const { workflowId } = await world.client.start(spec);
    await eventually(
      () => world.client.progress(workflowId),
      (progress) => progress.phase === phase,
    );
    return workflowId;
  }
  const updatesOf = async (workflowId: string) => {
    const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const updates = events?.filter((event) => event.workflowExecutionUpdateCompletedEventAttributes) ?? [];
    return updates.map((event) => event.workflowExecutionUpdateCompletedEventAttributes?.outcome);
  };

  const ended = { phase: 'done', iteration: 1 };

  test.each([
    ['accept', 'waiting', waiting, 'user_accepted'],
    ['abort', 'waiting', waiting, 'aborted'],
    ['accept', 'revising', stuck, 'user_accepted'],
    ['abort', 'revising', stuck, 'aborted'],
  ] as const)('%s of a run that is %s', async (name, phase, spec, convergenceReason) => {
    const workflowId = await start(spec, phase);
    const answer = await world.client[name](workflowId, { by: 'reviewer' });
    expect(answer).toMatchObject({ ...ended, convergenceReason });
    expect(answer.waitingFor).toBeUndefined();
    expect(await world.client.result(workflowId)).toMatchObject({ convergenceReason });
    expect(await world.client.progress(workflowId)).toEqual(answer);
  });

  test('an abort before the draft', async () => {
    const workflowId = await start({ ...stuck, generator: { action: 'hangs' } }, 'generating');
    expect(await world.client.abort(workflowId)).toMatchObject({
      phase: 'done',
      iteration: 0,
      convergenceReason: 'aborted',
    });
  });

  test.each([
    [
      'a run that waits for a worker which knows its action',
      [{ known: ['action nobody-has-it'], retryForMs: 3_600_000 }],
    ],
    ['a run whose spec is wrong', []],
  ])('an abort while the spec is being checked, of %s', async (_what, before) => {
    const { temporal, taskQueue } = world.client;
    const spec: ReflectionSpec = { ...waiting, generator: { action: 'nobody-has-it' } };
    const startWorkflowOperation = new WithStartWorkflowOperation('reflectionLoop', {
      taskQueue,
      workflowId: `unchecked-${randomUUID()}`,
      workflowIdConflictPolicy: 'FAIL',
      args: [spec, ...before],
    });
    const answer = await temporal.workflow.executeUpdateWithStart('abort', { startWorkflowOperation });
    const end = { convergenceReason: 'aborted' };
    expect(answer).toMatchObject({ ...end, phase: 'done', iteration: 0 });
    const { workflowId } = await startWorkflowOperation.workflowHandle();
    expect(await world.client.result(workflowId)).toMatchObject({ ...end, success: false, finalOutput: null });
  });

  test('an abort of a run that has waited long for a worker which knows its action', async () => {
    const { temporal, taskQueue } = world.client;
    const workflowId = `unknown-here-${randomUUID()}`;
    const spec: ReflectionSpec = { ...waiting, generator: { action: 'nobody-has-it' } };
    const before = { known: ['action nobody-has-it'], retryForMs: 3_600_000 };
    const handle = await temporal.workflow.start('reflectionLoop', { taskQueue, workflowId, args: [spec, before] });
    const pendingActivities = async () => (await handle.describe()).raw.pendingActivities ?? [];
    await eventually(pendingActivities, (pending) => pending.length > 0);
    await world.client.override(workflowId, { output: 'mine' });
    expect(await world.client.abort(workflowId)).toMatchObject({ phase: 'done', convergenceReason: 'aborted' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ convergenceReason: 'aborted', history: { versions: [{ output: 'mine' }] } });
    // The server may describe a run that has just ended as it was before.
    await eventually(pendingActivities, (pending) => pending.length === 0);
  });

  test('a run that goes on has no reason yet, and other commands answer at once', async () => {
    const workflowId = await start(waiting, 'waiting');
    expect(await world.client.progress(workflowId)).not.toHaveProperty('convergenceReason');
    const guided = await world.client.guide(workflowId, { text: 'more' });
    expect(guided).not.toHaveProperty('convergenceReason');
    await world.client.abort(workflowId);
  });

  test('the same command sent twice at once, by its id, is answered twice the same way', async () => {
    const workflowId = await start(stuck, 'revising');
    const send = () => world.client.accept(workflowId, { id: 'mine' });
    const answers = await Promise.all([send(), send()]);
    expect(answers).toEqual([
      expect.objectContaining({ convergenceReason: 'user_accepted' }),
      expect.objectContaining({ convergenceReason: 'user_accepted' }),
    ]);
    const { history } = await world.client.result(workflowId);
    expect(history.people).toHaveLength(1);
    expect(await updatesOf(workflowId)).toHaveLength(1);
  });

  test('an id that another command had does nothing, and is answered at once', async () => {
    const workflowId = await start(waiting, 'waiting');
    await world.client.extend(workflowId, { iterations: 1, id: 'one' });
    await eventually(
      () => asked,
      (times) => times > 0,
    );
    expect(await world.client.accept(workflowId, { id: 'one' })).toMatchObject({ phase: 'revising' });
    expect(await world.client.progress(workflowId)).toMatchObject({ phase: 'revising' });
    await world.client.abort(workflowId);
  });

  test('an abort of a run that is cancelled at the same time is answered, too', async () => {
    const workflowId = await start(stuck, 'revising');
    const handle = world.client.temporal.workflow.getHandle(workflowId);
    const [told] = await Promise.allSettled([world.client.abort(workflowId), handle.cancel()]);
    if (told.status === 'rejected') expect(told.reason).toMatchObject({ type: 'CommandRefused' });
    else expect(told.value).toMatchObject({ phase: 'done' });
    await eventually(
      () => handle.describe(),
      ({ status }) => status.name !== 'RUNNING',
    );
  });
});
