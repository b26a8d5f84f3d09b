import { hostname } from 'node:os';
import type { ReflectionClient } from '../../../client';
import { seconds } from '../views/printable';

interface Poller {
  /** Milliseconds since it last asked. */
  silentMs: number;
  /** It was a process of this machine, and has ended. */
  hasEnded: boolean;
}

/** A worker asks again at least once a minute; one that was silent for longer has gone. */
const GONE_AFTER_MS = 75_000;

/** The age of its last request at which a poller is still taken to be there. */
const JUST_NOW_MS = 5_000;

/** An idle worker that was killed looks like one that waits, unless it was of this machine. */
export function presentPollers(pollers: readonly Poller[]): Poller[] {
  return pollers.filter(({ silentMs, hasEnded }) => !hasEnded && silentMs < GONE_AFTER_MS);
}

function timeText(milliseconds: number): string {
  return milliseconds < 59_500 ? `${Math.round(milliseconds / 1_000)} s` : seconds(milliseconds);
}

/** Returns whether workers serve a queue, in words that claim no more than is known. */
export function presenceText(pollers: readonly Poller[]): { well: boolean; text: string } {
  const ago = (some: readonly Poller[]) => timeText(Math.min(...some.map(({ silentMs }) => silentMs)));
  const present = presentPollers(pollers);
  if (present.length === 0) {
    if (pollers.length === 0) return { well: false, text: 'no worker' };
    const ended = pollers.every(({ hasEnded }) => hasEnded) ? ', and its process has ended' : '';
    return { well: false, text: `no worker: the last was seen ${ago(pollers)} ago${ended}` };
  }
  if (present.some(({ silentMs }) => silentMs < JUST_NOW_MS)) return { well: true, text: 'a worker serves it' };
  return { well: true, text: `a worker was seen ${ago(present)} ago; an idle one shows itself once a minute` };
}

const KINDS = { workflow: 1, activity: 2 } as const;

function hasEndedHere(identity: string): boolean {
  // The SDK's own identities; custom ones say nothing of a process.
  const [, pid, host] = /^(\d+)@(.+)$/.exec(identity) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Lists the processes that asked a queue for work in the last minutes: the server forgets them after five. */
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

export async function pollerCount(...question: Parameters<typeof pollersOf>): Promise<number> {
  return presentPollers(await pollersOf(...question)).length;
}

const STANDARD_QUEUE = 'reflection';

export function noWorkerText(taskQueue: string): string {
  const queue = taskQueue === STANDARD_QUEUE ? '' : ` --task-queue ${taskQueue}`;
  return `No worker on queue "${taskQueue}": start one with \`npx reflect worker${queue}\`. The run waits for it.`;
}

/** Explains why no worker answers for a run, as far as that can be known: a worker may be there, and slow. */
export async function whyNoAnswer(client: ReflectionClient, taskQueue: string): Promise<string> {
  const pollers = await pollersOf(client, taskQueue, 'workflow').catch(() => []);
  if (presentPollers(pollers).length === 0) return noWorkerText(taskQueue);
  return `Queue "${taskQueue}": ${presenceText(pollers).text}. Try again, or look at the log of the worker.`;
}

const ELSEWHERE = '\nIf your worker serves another queue, start the run there: --task-queue.';

export async function warnWithoutWorker(client: ReflectionClient, say: (text: string) => unknown): Promise<void> {
  const pollers = await pollerCount(client, client.taskQueue, 'workflow').catch(() => undefined);
  if (pollers !== 0) return;
  // A user who has a worker may have forgotten that it serves another queue.
  const elsewhere = client.taskQueue === STANDARD_QUEUE ? ELSEWHERE : '';
  say(`${noWorkerText(client.taskQueue)}${elsewhere}`);
}
