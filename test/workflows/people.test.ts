import { CommandRefusedError, RunNotFoundError } from '../../src/loop/errors/errors';
import { LATEST_RULES } from '../../src/loop/base/rules';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ReflectionWorkerOptions } from '../../src/worker';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const SCHEMA = { type: 'object', required: ['done'] };

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: SCHEMA },
  maxIterations: 5,
  convergence: false,
};

const poor: ScriptEntry = { reply: { almost: true } };
const hang: ScriptEntry = { fault: 'hang', times: 'always' };

describe('people in the loop', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;

  /** Starts a run whose third call never answers: two versions are there, both failed. */
  async function startStuck(
    script: ScriptEntry[] = [poor, poor, hang],
    options: ReflectionWorkerOptions = {},
  ): Promise<string> {
    model = await ScriptedOpenAI.start({ script });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    world = await startWorld(options);
    const { workflowId } = await world.client.start(spec);
    const calls = script.length;
    await eventually(
      () => model.ledger.filter((entry) => entry.kind === 'request').length,
      (count) => count >= calls,
    );
    return workflowId;
  }
  /** Lists what the run waited for after the last command that it took: nothing but its own workflow tasks, if it ends at once. */
  async function waitsAfterCommand(workflowId: string): Promise<string[]> {
    const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const taken = events!.findLastIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    expect(taken).toBeGreaterThan(0);
    return events!
      .slice(taken + 1)
      .filter((event) => event.timerFiredEventAttributes ?? event.activityTaskScheduledEventAttributes)
      .map((event) => Object.keys(event).find((key) => key.endsWith('Attributes'))!);
  }
  afterEach(async () => {
    await world.close();
    delete process.env['OPENAI_BASE_URL'];
    await model.close();
  });

  test('progress says where a run stands', async () => {
    const workflowId = await startStuck();
    expect(await world.client.progress(workflowId)).toEqual({
      phase: 'revising',
      iteration: 2,
      maxIterations: 5,
      scores: [0, 0],
      best: { iteration: 1, score: 0, outcome: 'fail' },
      rules: LATEST_RULES,
      tokenUsage: expect.objectContaining({ modelCalls: 2 }),
    });
    await world.client.abort(workflowId);
  });

  test('accept ends a run with its best version, at once, while a call is under way', async () => {
    const workflowId = await startStuck();
    expect(await world.client.accept(workflowId, { by: 'reviewer', reason: 'good enough' })).toMatchObject({
      iteration: 2,
    });
    const result = await world.client.result(workflowId);
    expect(await waitsAfterCommand(workflowId)).toEqual([]);
    expect(result).toMatchObject({
      success: true,
      convergenceReason: 'user_accepted',
      finalOutput: { almost: true },
      history: {
        finalIteration: 1,
        people: [{ name: 'accept', by: 'reviewer', applied: true, via: 'update' }],
      },
    });
  });

  test('accept of the current iteration returns that one, not the best', async () => {
    const workflowId = await startStuck();
    await world.client.accept(workflowId, { iteration: 2 });
    expect(await world.client.result(workflowId)).toMatchObject({ history: { bestIteration: 1, finalIteration: 2 } });
  });

  test('a stale or malformed accept is refused with the reason, and the run goes on', async () => {
    const workflowId = await startStuck();
    await expect(world.client.accept(workflowId, { iteration: 1 })).rejects.toThrow(CommandRefusedError);
    await expect(world.client.accept(workflowId, { iteration: 1 })).rejects.toThrow(/not the current one, which is 2/);
    await expect(world.client.accept(workflowId, { colour: 'red' } as never)).rejects.toThrow(/no field "colour"/);
    expect(await world.client.progress(workflowId)).toMatchObject({ phase: 'revising' });
    await world.client.abort(workflowId);
  });

  test('abort closes the connection of the call in flight and ends the run without waiting for anything', async () => {
    const workflowId = await startStuck();
    await world.client.abort(workflowId, { by: 'operator' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: false, convergenceReason: 'aborted', finalOutput: '{"almost":true}' });
    await eventually(
      () => model.ledger.filter((entry) => entry.kind === 'closed').length,
      (count) => count === 1,
    );
    expect(await waitsAfterCommand(workflowId)).toEqual([]);
  });

  test('abort before a draft completes with nothing to hand back', async () => {
    const workflowId = await startStuck([hang]);
    await world.client.abort(workflowId);
    expect(await world.client.result(workflowId)).toMatchObject({
      convergenceReason: 'aborted',
      finalOutput: null,
      bestOutput: null,
      iterationsUsed: 0,
    });
  });

  test('accept before a draft: the update is refused, the signal waits for the draft', async () => {
    const workflowId = await startStuck([{ reply: { almost: true }, delayMs: 1_000 }]);
    await expect(world.client.accept(workflowId)).rejects.toThrow(/no draft/);
    await world.client.temporal.workflow.getHandle(workflowId).signal('accept', { by: 'early' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted', finalOutput: { almost: true } });
    expect(model.ledger.filter((entry) => entry.kind === 'request')).toHaveLength(1);
  });

  test('a refused signal changes nothing and stands on the page; a repeated id does nothing', async () => {
    const workflowId = await startStuck();
    const handle = world.client.temporal.workflow.getHandle(workflowId);
    await handle.signal('accept', { id: 'none', iteration: 9 });
    await handle.signal('guide', { id: 'one', text: 'more' });
    await handle.signal('accept', { id: 'one' });
    await handle.signal('accept', 'nonsense');
    const page = await eventually(
      () => handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata'),
      (metadata) => metadata.currentDetails?.includes('takes an object') ?? false,
    );
    expect(page.currentDetails).toContain('refused: iteration 9 is not the current one');
    expect(await world.client.progress(workflowId)).toMatchObject({ phase: 'revising' });
    await world.client.abort(workflowId);
    const { history } = await world.client.result(workflowId);
    expect(history.people.map(({ name, applied }) => [name, applied])).toEqual([
      ['accept', false],
      ['guide', false],
      ['accept', false],
      ['abort', true],
    ]);
  });

  test("Temporal's own cancel ends the run as cancelled", async () => {
    const workflowId = await startStuck();
    await world.client.temporal.workflow.getHandle(workflowId).cancel();
    await expect(world.client.result(workflowId)).rejects.toMatchObject({ type: 'Cancelled' });
  });

  test('signals work as the temporal command sends them, without a payload too', async () => {
    const workflowId = await startStuck();
    await world.client.temporal.workflow.getHandle(workflowId).signal('accept');
    expect(await world.client.result(workflowId)).toMatchObject({ convergenceReason: 'user_accepted' });
  });

  test('the run list shows status, iteration, best score and reason', async () => {
    const workflowId = await startStuck(undefined, { runList: 'each_version' });
    const find = async () => {
      for await (const entry of world.client.list({ query: `WorkflowId = '${workflowId}'` })) return entry;
      return undefined;
    };
    await eventually(find, (entry) => entry?.status === 'running' && entry.iteration === 2);
    await world.client.accept(workflowId);
    const ended = await eventually(find, (entry) => entry?.status === 'succeeded');
    expect(ended).toMatchObject({ bestScore: 0, reason: 'user_accepted', temporalStatus: 'COMPLETED' });
  });

  test('a command to a run that has ended is refused as such', async () => {
    const workflowId = await startStuck();
    await world.client.abort(workflowId);
    await world.client.result(workflowId);
    await expect(world.client.accept(workflowId)).rejects.toThrow(CommandRefusedError);
    await expect(world.client.accept(workflowId)).rejects.toThrow(/has ended/);
  });

  test('a run that is not there is said so', async () => {
    const workflowId = await startStuck();
    await expect(world.client.progress('nobody')).rejects.toThrow(RunNotFoundError);
    await world.client.abort(workflowId);
  });
});
