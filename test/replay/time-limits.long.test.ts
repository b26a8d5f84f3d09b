import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { z } from 'zod';
import { endOf, type HistoryFile } from '../../src/apps/testing/replay/history-file';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { type Bundle, bundleForReplay, replay } from '../../src/apps/testing/replay/replaying';

const RUNS = 6;

interface Recorded {
  name: string;
  history: HistoryFile;
}

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

/** As long as a run may take beyond its budget: queries that are answered meanwhile end its workflow tasks. */
const LATE_MS = 8_000;

const spec = (wallClock: number): ReflectionSpec => ({
  generator: { action: 'writes' },
  evaluator: { type: 'function', action: 'judges' },
  maxIterations: 200,
  convergence: false,
  budget: { wallClock },
});

const OF_A_TASK = /^EVENT_TYPE_WORKFLOW_TASK_/;

/** The same history, of a server that took longer to begin each workflow task. */
function withLaterTasks({ name, history }: Recorded, ms: number): Recorded {
  const events = history.events.map((event) => {
    const { eventType, eventTime } = event as { eventType: string; eventTime: string };
    const later = (): string => new Date(Date.parse(eventTime) + ms).toISOString();
    return OF_A_TASK.test(eventType) ? { ...event, eventTime: later() } : event;
  });
  return { name: `${name}-${ms}`, history: { ...history, events } };
}

describe('a time budget that ends a run', () => {
  let world: LoopWorld;
  let bundle: Bundle;
  beforeAll(async () => {
    world = await startWorld({ actions });
    bundle = await bundleForReplay(require.resolve('../../src/workflows'));
  }, 60_000);
  afterAll(() => world.close());

  async function recorded(workflowId: string): Promise<Recorded> {
    const history = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    return { name: workflowId, history: JSON.parse(historyToJSON(history)) as HistoryFile };
  }

  /** Replays histories, and gives those that went another way or ended otherwise. */
  async function otherwise(histories: Recorded[]): Promise<unknown[]> {
    const versionsOf = (end: unknown) => (end as { result: ReflectionResult }).result.iterationsUsed;
    const replayed = await replay(bundle, histories);
    return replayed.filter(
      ({ error, end }, index) => error || versionsOf(end) !== versionsOf(endOf(histories[index]!.history)),
    );
  }

  /** Asks where the run stands, without a pause: an answer that is given while a local activity runs ends the workflow task. */
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

  test('does so by times that stand in its history, whenever its workflow tasks begin', async () => {
    const { workflowId } = await world.client.start(spec(1_500));
    expect(await world.client.result(workflowId)).toMatchObject({ convergenceReason: 'time_budget' });
    const history = await recorded(workflowId);
    expect(await otherwise([0, 700, 60_000].map((ms) => withLaterTasks(history, ms)))).toEqual([]);
  }, 60_000);

  test('does so in time while it is asked where it stands, and in each replay as it did', async () => {
    const budgets = Array.from({ length: RUNS }, (_, index) => 1_200 + 37 * index);
    const began = Date.now();
    const started = await Promise.all(budgets.map((wallClock) => world.client.start(spec(wallClock))));
    const results = await Promise.all(started.map(({ workflowId }) => asked(workflowId)));
    expect(Date.now() - began).toBeLessThan(Math.max(...budgets) + LATE_MS);
    expect(results.map(({ convergenceReason }) => convergenceReason)).toEqual(budgets.map(() => 'time_budget'));
    expect(await otherwise(await Promise.all(started.map(({ workflowId }) => recorded(workflowId))))).toEqual([]);
  }, 60_000);
});
