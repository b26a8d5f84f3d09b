import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { follows, LATEST_RULES, RULES } from '../../src/loop/base/rules';
import type { ContinueAsNewState } from '../../src/loop/moves/continue-as-new-state';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { HistoryFile } from '../../src/apps/testing/replay/history-file';
import { defineAction } from '../../src/worker';
import { commandsOf, RULES_MARK } from '../../testing/replay/rules-mark';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const ITERATIONS_PER_RUN = 50;

const counts = defineAction({
  name: 'counts',
  description: 'Gives an output that says its iteration.',
  input: z.unknown(),
  run: (_input, { iteration }) => ({ iteration }),
});

const spec = (maxIterations: number): ReflectionSpec => ({
  generator: { action: 'counts' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
  maxIterations,
  convergence: false,
});

describe('the mark of the rules by which a run decides', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [counts] });
  });
  afterAll(() => world.close());

  async function historyOf(workflowId: string, runId?: string): Promise<HistoryFile> {
    const history = await world.client.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    return JSON.parse(historyToJSON(history)) as HistoryFile;
  }

  async function begun(type: string, args: unknown[], more: object = {}): Promise<{ id: string; runId: string }> {
    const id = `rules-${randomUUID()}`;
    const { taskQueue, temporal } = world.client;
    const handle = await temporal.workflow.start(type, { taskQueue, workflowId: id, args, ...more });
    return { id, runId: handle.firstExecutionRunId };
  }

  /** The commands of a run, once there are at least two. */
  async function commands({ id, runId }: { id: string; runId?: string }): Promise<string[]> {
    return eventually(
      async () => commandsOf(await historyOf(id, runId)),
      (found) => found.length >= 2,
    );
  }

  const data = { data: 1, evaluator: { type: 'schema', schema: {} } };
  test.each([
    ['reflectionLoop', [spec(1)]],
    ['reflectionEvaluate', [data]],
    ['reflectionCorrect', [{ data: 1, errors: [{ message: 'wrong' }], corrector: { action: 'counts' } }]],
    [
      'reflectionPipeline',
      [{ nodes: [{ name: 'judge', evaluate: { type: 'schema', schema: {} }, parameters: { data: 1 } }] }],
    ],
    ['planReflection', [{ goal: 'count', plan: { tasks: [{ id: 'one', action: 'counts' }] } }]],
    ['agentReflection', [{ agents: [{ id: 'a', type: 'x' }] }]],
    ['reflectionBatch', [{ pages: [], loop: spec(1), items: 0 }]],
    ['reflectionBatchPage', [{ batch: 'none', page: 0, loop: spec(1), items: [], done: [], attempt: 1 }]],
  ])('stands before the first command of %s', async (type, args) => {
    const run = await begun(type, args);
    expect((await commands(run))[0]).toBe(RULES_MARK);
    await world.client.temporal.workflow
      .getHandle(run.id)
      .terminate()
      .catch(() => undefined);
  });

  test('stands there where a signal, or an update, comes with the start', async () => {
    const { taskQueue, temporal } = world.client;
    const workflowId = `rules-${randomUUID()}`;
    const options = { taskQueue, workflowId, args: [spec(2)], signal: 'guide', signalArgs: [{ text: 'Count.' }] };
    await temporal.workflow.signalWithStart('reflectionLoop', options);
    expect((await commands({ id: workflowId }))[0]).toBe(RULES_MARK);
  });

  test('a later run of a chain carries a mark of its own', async () => {
    const first = await begun('reflectionLoop', [spec(ITERATIONS_PER_RUN + 1)]);
    await world.client.result(first.id);
    const { events } = await historyOf(first.id, first.runId);
    const { workflowExecutionContinuedAsNewEventAttributes: next } = events.at(-1) as unknown as {
      workflowExecutionContinuedAsNewEventAttributes: {
        newExecutionRunId: string;
        input: { payloads: { data: string }[] };
      };
    };
    expect((await commands({ id: first.id, runId: next.newExecutionRunId }))[0]).toBe(RULES_MARK);
    const [, carried] = next.input.payloads.map((payload) =>
      JSON.parse(Buffer.from(payload.data, 'base64').toString()),
    );
    const { state } = carried as ContinueAsNewState;
    expect(state.rules).toBe(LATEST_RULES);
  });
});

test('a run follows the changes up to its mark, and one without a mark follows none', () => {
  expect(RULES.filter((name) => follows(LATEST_RULES, name))).toEqual(RULES);
  expect(RULES.filter((name) => follows(RULES[0], name))).toEqual(RULES.slice(0, 1));
  expect(RULES.filter((name) => follows(undefined, name))).toEqual([]);
});
