import { NativeConnection, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf, type HistoryFile, payloadValue } from '../../src/apps/testing/replay/history-file';
import { bundleForReplay, replay } from '../../src/apps/testing/replay/replaying';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { ReflectionPlugin } from '../../src/worker';
import { OWN_WORKFLOWS } from '../../testing/replay/recordings';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { ReflectCommand } from '../apps/cli/reflect-command';

/** A chain of two runs that 0.2.0 recorded: the first one waits for an answer and continues as new, the second one ends. */
const recorded = ([1, 2] as const).map(
  (run) =>
    JSON.parse(readFileSync(join(__dirname, 'earlier', `question-handed-over-${run}.json`), 'utf8')) as HistoryFile,
) as [HistoryFile, HistoryFile];

const VERSION_TO_RUN = /0\.2 or earlier[^]*a worker of 0\.2\.1/;

describe('a run that a worker of 0.2 began', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test('is not replayed: the error names the version to run', async () => {
    const bundle = await bundleForReplay(OWN_WORKFLOWS, [new ReflectionPlugin()]);
    const replayed = await replay(
      bundle,
      recorded.map((history, index) => ({ name: `${index}`, history })),
    );
    expect(replayed.map(({ end }) => end)).toEqual([undefined, undefined]);
    for (const { error } of replayed) expect(String(error?.message)).toMatch(VERSION_TO_RUN);
  }, 60_000);

  /** Starts a run, waits until a workflow task failed, and returns the message of that failure. */
  async function failedTaskOf(args: unknown[]): Promise<{ workflowId: string; message: string }> {
    const { taskQueue, temporal } = world.client;
    const workflowId = `earlier-${randomUUID()}`;
    await temporal.workflow.start('reflectionLoop', { taskQueue, workflowId, args });
    const handle = temporal.workflow.getHandle(workflowId);
    const failed = await eventually(
      async () => (await handle.fetchHistory()).events?.find((event) => event.workflowTaskFailedEventAttributes),
      (event) => event !== undefined,
    );
    return { workflowId, message: failed!.workflowTaskFailedEventAttributes!.failure!.message! };
  }

  test.each<[string, (state: JsonObject) => void]>([
    ['as 0.2 wrote it', () => undefined],
    ['without rules, as 0.1.0 wrote it', (state) => delete state['rules']],
    ['with rules of a release to come', (state) => void (state['rules'] = '9.9.9')],
  ])('the next run of its chain goes on being there for an older worker, with the state %s', async (_, change) => {
    const end = endOf(recorded[0]);
    const [spec, carried] = (end as unknown as { arguments: [Json, { state: JsonObject }] }).arguments;
    change(carried.state);
    const { workflowId, message } = await failedTaskOf([spec, carried]);
    expect(message).toMatch(VERSION_TO_RUN);
    const handle = world.client.temporal.workflow.getHandle(workflowId);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    const { events } = await handle.fetchHistory();
    expect(events!.filter((event) => event.activityTaskScheduledEventAttributes)).toEqual([]);
    await handle.terminate();
  });

  test('is read when it has ended, by show, result and report', async () => {
    const { result } = endOf(recorded[1]) as { result: ReflectionResult };
    const memos = recorded[1].events.flatMap((event) => {
      const { upsertedMemo } = (event['workflowPropertiesModifiedEventAttributes'] ?? {}) as {
        upsertedMemo?: { fields: Record<string, Json> };
      };
      return upsertedMemo ? [upsertedMemo.fields] : [];
    });
    const memo = Object.fromEntries(Object.entries(memos.at(-1)!).map(([key, value]) => [key, payloadValue(value)]));
    const [spec] = (endOf(recorded[0]) as { arguments: unknown[] }).arguments;
    const connection = await NativeConnection.connect({ address: world.address });
    const earlier = await Worker.create({
      connection,
      taskQueue: `earlier-${randomUUID()}`,
      workflowsPath: require.resolve('./earlier/ended-run'),
    });
    const workflowId = `ended-${randomUUID()}`;
    const { taskQueue } = earlier.options;
    await earlier.runUntil(
      world.client.temporal.workflow.execute('reflectionLoop', {
        taskQueue,
        workflowId,
        args: [spec, { memo, result }],
      }),
    );
    await connection.close();
    const now = await startWorld({ taskQueue });
    try {
      expect(await now.client.result(workflowId)).toEqual(result);
      const env = { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: taskQueue };
      const shown = await new ReflectCommand(['show', workflowId], { env }).finished;
      expect(shown.stdout).toMatch(/quality_met[^]*poem/);
      const report = await new ReflectCommand(['report', workflowId, '--json'], { env }).finished;
      expect(JSON.parse(report.stdout)).toMatchObject({ versions: [{ output: 'poem' }] });
    } finally {
      await now.close();
    }
  });
});
