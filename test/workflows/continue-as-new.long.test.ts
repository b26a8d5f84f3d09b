import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const OUTPUT_BYTES = 2_000;

/** Checks passed go up and down with the iteration; the best is iteration 7 and every tenth after it is as good. */
const counts = defineAction({
  name: 'counts',
  description: 'Gives an output that says its iteration.',
  input: z.object({ pauseFrom: z.number().optional() }),
  needs: [],
  run: async ({ pauseFrom }, { iteration, signal }) => {
    if (pauseFrom !== undefined && iteration >= pauseFrom) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    return { iteration, filler: 'x'.repeat(OUTPUT_BYTES), ...(iteration === 7 ? { rare: true } : {}) };
  },
});

const spec = (maxIterations: number, pauseFrom?: number): ReflectionSpec => ({
  generator: { action: 'counts', with: pauseFrom === undefined ? {} : { pauseFrom } },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['rare', 'missing'] } },
  maxIterations,
  convergence: false,
});

describe('loops that go on in a new run', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [counts] });
  });
  afterAll(() => world.close());

  async function runsOf(workflowId: string): Promise<{ runId: string; events: number; bytes: number }[]> {
    const runs = [];
    for await (const run of world.client.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const { raw } = await world.client.temporal.workflow.getHandle(workflowId, run.runId).describe();
      const info = raw.workflowExecutionInfo!;
      runs.push({ runId: run.runId, events: Number(info.historyLength), bytes: Number(info.historySizeBytes) });
    }
    return runs;
  }

  test('120 iterations are a chain of short runs that behaves as one', async () => {
    const { workflowId } = await world.client.start({ ...spec(120), name: 'long one' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({
      convergenceReason: 'max_iterations',
      iterationsUsed: 120,
      finalOutput: { iteration: 7, rare: true },
      history: { totalIterations: 120, bestIteration: 7, finalIteration: 7 },
    });
    const runs = await eventually(
      () => runsOf(workflowId),
      (found) => found.length === 3,
    );
    for (const run of runs) {
      expect(run.events).toBeLessThan(4_096);
      expect(run.bytes).toBeLessThan(8 * 1024 * 1024);
    }
    const page = await world.client.temporal.workflow
      .getHandle(workflowId)
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(page.currentDetails).toContain('long one · ≤120 · ≥0.80');
    expect(page.currentDetails).toContain('| 120 |');
    const versions = await world.client.history(workflowId);
    expect(versions.map(({ iteration }) => iteration)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(versions.every(({ output }) => (output as { filler: string }).filler.length === OUTPUT_BYTES)).toBe(true);
  }, 60_000);

  test('what was refused or repeated before a new run is known in it, and people still reach it', async () => {
    const { workflowId } = await world.client.start(spec(200, 60));
    const handle = world.client.temporal.workflow.getHandle(workflowId);
    // The SDK hands signals that came before a run's first task to one handler after the other, not in their order.
    await world.client.progress(workflowId);
    await handle.signal('accept', { id: 'refused', iteration: 150 });
    await handle.signal('guide', { id: 'early', text: 'more' });
    await eventually(
      () => world.client.progress(workflowId),
      ({ iteration }) => iteration === 59,
      20_000,
    );
    await handle.signal('accept', { id: 'early' });
    expect(await world.client.progress(workflowId)).toMatchObject({ phase: 'generating' });
    await world.client.accept(workflowId, { by: 'reviewer' });
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted', finalOutput: { iteration: 7 } });
    expect(result.history.people.map(({ name, applied, by }) => [name, applied, by])).toEqual([
      ['accept', false, undefined],
      ['guide', true, undefined],
      ['accept', true, 'reviewer'],
    ]);
  }, 60_000);

  test('a version of an earlier run that is judged again is in the history once, as it was judged last', async () => {
    const { workflowId } = await world.client.start(spec(200, 51));
    await eventually(
      () => world.client.progress(workflowId),
      ({ iteration, phase }) => iteration === 50 && phase === 'generating',
      20_000,
    );
    await world.client.reflect(workflowId);
    await eventually(
      () => world.client.progress(workflowId),
      ({ iteration, phase }) => iteration === 50 && phase === 'generating',
    );
    const versions = await world.client.history(workflowId);
    expect(versions.at(-1)!.trigger).toBe('manual');
    expect(versions.map(({ iteration }) => iteration)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    await world.client.abort(workflowId);
    expect((await world.client.result(workflowId)).history.versions.at(-1)).toMatchObject({ trigger: 'manual' });
  }, 60_000);
});
