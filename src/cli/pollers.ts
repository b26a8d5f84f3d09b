import type { ReflectionClient } from '../client';

/** Task queue kinds in Temporal's API. */
const KINDS = { workflow: 1, activity: 2 } as const;

/** A worker asks again at least once a minute; one that was silent for longer has gone. */
const GONE_AFTER_MS = 75_000;

/** How many workers ask a queue for work. */
export async function pollerCount(
  client: ReflectionClient,
  taskQueue: string,
  kind: keyof typeof KINDS,
): Promise<number> {
  const { connection, options } = client.temporal;
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: KINDS[kind],
  });
  const oldest = Date.now() - GONE_AFTER_MS;
  return (pollers ?? []).filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > oldest).length;
}

/** What to tell someone whose runs wait for a worker. */
export function noWorkerText(taskQueue: string): string {
  const queue = taskQueue === 'reflection' ? '' : ` --task-queue ${taskQueue}`;
  return `No worker on queue "${taskQueue}": start one with \`npx reflect worker${queue}\`. The run waits for it.`;
}
