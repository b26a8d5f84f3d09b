import { hostname } from 'node:os';
import type { ReflectionClient } from '../../client';
import { type Poller, presentPollers } from './worker-availability';

/** Task queue kinds in Temporal's API. */
const KINDS = { workflow: 1, activity: 2 } as const;

/** Whether the process that an identity names was one of this machine, and is none any more. */
function hasEndedHere(identity: string): boolean {
  // The SDK's own identities; those that somebody chose say nothing of a process.
  const [, pid, host] = /^(\d+)@(.+)$/.exec(identity) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Who asked a queue for work in the last minutes: the server forgets them after five. */
export async function pollersOf(
  client: ReflectionClient,
  taskQueue: string,
  kind: keyof typeof KINDS,
): Promise<Poller[]> {
  const { connection, options } = client.temporal;
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: KINDS[kind],
  });
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    // The server's clock may be ahead of ours.
    silentMs: Math.max(0, Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000),
    hasEnded: hasEndedHere(identity ?? ''),
  }));
}

/** How many workers ask a queue for work, as far as that can be known. */
export async function pollerCount(...question: Parameters<typeof pollersOf>): Promise<number> {
  return presentPollers(await pollersOf(...question)).length;
}

/** What to tell someone whose runs wait for a worker. */
export function noWorkerText(taskQueue: string): string {
  const queue = taskQueue === 'reflection' ? '' : ` --task-queue ${taskQueue}`;
  return `No worker on queue "${taskQueue}": start one with \`npx reflect worker${queue}\`. The run waits for it.`;
}

/** Says that runs wait for a worker, where none asks for work, as far as that can be known. */
export async function warnWithoutWorker(client: ReflectionClient, say: (text: string) => unknown): Promise<void> {
  const pollers = await pollerCount(client, client.taskQueue, 'workflow').catch(() => undefined);
  if (pollers === 0) say(noWorkerText(client.taskQueue));
}
