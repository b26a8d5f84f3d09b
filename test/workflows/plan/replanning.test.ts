import { randomUUID } from 'node:crypto';
import type { PlanRunResult } from '../../../src/kinds/plan/contract/plan-results';
import type { Task } from '../../../src/kinds/plan/contract/plan';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { plan, planActions, task } from '../../../testing/support/plan-tasks';

describe('which failures are planned anew, on a real server', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: planActions });
  });
  afterAll(() => world?.close());

  /** Undefined until the loop has begun. */
  const phaseOf = async (loop: string) => {
    try {
      return (await world.client.progress(loop)).phase;
    } catch {
      return undefined;
    }
  };
  const start = (first: Task, error?: string) =>
    world.client.temporal.workflow.start('planReflection', {
      taskQueue: world.client.taskQueue,
      workflowId: `replanning-${randomUUID()}`,
      args: [
        {
          goal: 'Publish the report',
          enableLlmReflection: false,
          maxReplanningAttempts: 1,
          planner: { action: 'plans', with: { plans: [{ tasks: [task('again', { error })] }] } },
          plan: plan(first),
        },
      ],
    });

  test.each([
    ['The figures do not add up', 1],
    ['connect ECONNREFUSED 192.0.2.1:443', 1],
    ['The page answered with 404', 1],
    ['The figures are invalid', 0],
  ])('"%s" leads to %i further plans', async (error, replans) => {
    const started = await start(task('once', { error }), error);
    expect(await started.result()).toMatchObject({ success: false, replans });
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['its loop ended as aborted', (id) => world.client.abort(id)],
    ['its loop was terminated', (id) => world.client.temporal.workflow.getHandle(id).terminate()],
    ['its loop was cancelled', (id) => world.client.temporal.workflow.getHandle(id).cancel()],
  ])('what a person ended is not planned anew: %s', async (error, end) => {
    const waiting = {
      generator: { action: 'does', with: { name: 'draft' } },
      evaluator: { type: 'schema' as const, schema: { type: 'string' } },
      review: { when: 'on_satisfactory' },
    };
    const started = await start(task('draft', { step: { loop: waiting } as Task['step'] }));
    const loop = `${started.workflowId}/draft`;
    await eventually(
      () => phaseOf(loop),
      (phase) => phase === 'waiting',
    );
    await end(loop);
    const result = (await started.result()) as PlanRunResult;
    expect(result).toMatchObject({
      success: false,
      replans: 0,
      results: [{ error: expect.stringMatching(error) as string }],
    });
  });
});
