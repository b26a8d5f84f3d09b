import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { z } from 'zod';
import { endOf, type HistoryFile } from '../../scripts/replay/history-file';
import type { ReflectionResult } from '../../src/domain/result';
import type { ReflectionSpec } from '../../src/domain/spec';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../support/loop-world';
import { type Bundle, bundleForReplay, replay } from './replaying';

const RUNS = 8;

const takes = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
};
const actions = [
  defineAction({
    name: 'writes',
    description: 'At once.',
    input: z.unknown(),
    run: (_input, { iteration }) => `text ${iteration}`,
  }),
  defineAction({
    name: 'judges',
    description: 'Takes its time, where the workflow runs.',
    input: z.unknown(),
    local: true,
    run: async (_input, { signal }) => {
      await takes(60, signal);
      return false;
    },
  }),
];

describe('a time budget that ends a run while it is asked where it stands', () => {
  let world: LoopWorld;
  let bundle: Bundle;
  beforeAll(async () => {
    world = await startWorld({ actions });
    bundle = await bundleForReplay(require.resolve('../../src/workflows/index'));
  }, 60_000);
  afterAll(() => world.close());

  /** Asks without a pause: an answer that is given while a local activity runs ends the workflow task. */
  async function asked(workflowId: string): Promise<ReflectionResult> {
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        await world.client.progress(workflowId, { timeout: 5_000 }).catch(() => undefined);
        await sleep(10);
      }
    })();
    try {
      return await world.client.result(workflowId);
    } finally {
      isOver = true;
      await asking;
    }
  }

  test('D3 ends it in each replay as it did', async () => {
    const spec = (wallClock: number): ReflectionSpec => ({
      generator: { action: 'writes' },
      evaluator: { type: 'function', action: 'judges' },
      maxIterations: 200,
      convergence: false,
      budget: { wallClock },
    });
    const histories: { name: string; history: HistoryFile }[] = [];
    let ended = 0;
    for (let from = 0; from < RUNS; from += 4) {
      const started = await Promise.all(
        Array.from({ length: 4 }, (_, index) => world.client.start(spec(2_000 + 37 * (from + index)))),
      );
      const results = await Promise.all(started.map(({ workflowId }) => asked(workflowId)));
      ended += results.filter(({ convergenceReason }) => convergenceReason === 'time_budget').length;
      for (const { workflowId } of started) {
        const history = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
        histories.push({ name: workflowId, history: JSON.parse(historyToJSON(history)) as HistoryFile });
      }
    }
    expect(ended).toBe(RUNS);
    // As a run that was closed is asked for its progress: what it was is made again from its history.
    const replayed = await replay(bundle, histories);
    const diverged = replayed.filter(({ error }) => error).map(({ error }) => error!.message.slice(0, 200));
    const versionsOf = (end: unknown) => (end as { result: ReflectionResult }).result.iterationsUsed;
    const others = replayed.filter(
      ({ end }, index) => end && versionsOf(end) !== versionsOf(endOf(histories[index]!.history)),
    );
    expect({ diverged, others }).toEqual({ diverged: [], others: [] });
  }, 240_000);
});
