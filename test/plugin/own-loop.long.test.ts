import { randomUUID } from 'node:crypto';
import { startPluginWorld } from './plugin-world';

describe('a worker with the plugin and a workflow named as one of ours', () => {
  test('runs its own, and leaves messages to it as they come', async () => {
    const world = await startPluginWorld({}, { workflowsPath: require.resolve('./own-loop') });
    try {
      const place = { taskQueue: world.taskQueue, workflowId: `own-${randomUUID()}` };
      const handle = await world.temporal.workflow.start('reflectionLoop', place);
      await handle.signal('__temporal_note');
      await handle.signal('end');
      await expect(handle.result()).resolves.toEqual([]);
    } finally {
      await world.close();
    }
  });
});
