import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RECOVERY_PROFILES } from '../../src/lib/limits/recovery';
import { defineAction, ReflectionPlugin } from '../../src/worker';
import { heartbeatOf } from '../../testing/support/heartbeats';
import { startPluginWorld, type PluginWorld } from './plugin-world';

const done = defineAction({ name: 'done', description: 'Is done.', input: z.unknown(), run: () => ({ done: true }) });

describe("the plugin leaves the settings of its owner's worker alone", () => {
  const worlds: PluginWorld[] = [];
  afterAll(() => Promise.all(worlds.map((world) => world.close())));

  test('an activity of theirs that beats in a loop sends as few heartbeats as without the plugin', async () => {
    const world = await startPluginWorld({ recovery: 'fast' });
    worlds.push(world);
    const options = { taskQueue: world.taskQueue, workflowId: `beating-${world.taskQueue}` };
    const handle = await world.temporal.workflow.start('beating', { ...options, args: [4_000] });
    const seen = new Set<number>();
    let isOver = false;
    const ended = handle.result().finally(() => (isOver = true));
    while (!isOver) {
      const beat = await heartbeatOf(world.client, options.workflowId);
      if (beat !== undefined) seen.add(beat);
      await sleep(50);
    }
    await ended;
    // The first one leaves at once, and the SDK holds back the others for 24 s.
    expect(seen.size).toBe(1);
  });

  test.each(['standard', 'steady', 'fast'] as const)(
    'with the profile %s it adds work, and sets nothing',
    (recovery) => {
      const options = new ReflectionPlugin({ recovery }).configureWorker({ taskQueue: 'theirs' });
      const added = ['activities', 'interceptors', 'taskQueue', 'workflowBundle', 'workflowsPath'];
      const set = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      expect(set.filter((name) => !added.includes(name))).toEqual([]);
    },
  );

  test('steps on their worker have the time that its heartbeats need', async () => {
    const spec = { generator: { action: 'done' }, evaluator: { type: 'schema' as const, schema: true } };
    const timeout = async (throttle?: string) => {
      const world = await startPluginWorld(
        { recovery: 'steady', actions: [done] },
        throttle === undefined ? undefined : { maxHeartbeatThrottleInterval: throttle as '1s' },
      );
      worlds.push(world);
      const { workflowId } = await world.client.start(spec);
      await world.client.result(workflowId);
      const { events } = await world.temporal.workflow.getHandle(workflowId).fetchHistory();
      return events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled ? [Number(scheduled.heartbeatTimeout!.seconds) * 1_000] : [],
      );
    };
    expect(await timeout()).toEqual([RECOVERY_PROFILES.standard.heartbeatTimeoutMs]);
    expect(await timeout('1s')).toEqual([RECOVERY_PROFILES.steady.heartbeatTimeoutMs]);
  });
});
