import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandleWithFirstExecutionRunId, WorkflowStartOptions } from '@temporalio/client';
import { familyOf } from './histories';

/** Where a probe looks. */
export interface Probing {
  client: Client;
  /** A queue with the workflows of the harness. */
  served: string;
  /** A queue that nobody serves. */
  unserved: string;
}

/** Sees that the server refuses what goes beyond one of its limits. */
export interface Probe {
  name: string;
  /** Takes half a minute: it is left out of the short form. */
  isSlow?: true;
  /** Undefined: it was refused; else what happened instead. */
  exceeds(probing: Probing): Promise<string | undefined>;
}

const PROBE_MS = 60_000;
/** What fills a history gets. */
const FILLING_MS = 120_000;

export async function start(
  { client }: Probing,
  taskQueue: string,
  type: string,
  args: unknown[] = [],
  more: Partial<WorkflowStartOptions> = {},
): Promise<WorkflowHandleWithFirstExecutionRunId> {
  return client.workflow.start(type, { taskQueue, workflowId: `probe-${randomUUID()}`, args, ...more });
}

/** What must be refused at once. */
export async function refusal(attempt: () => Promise<unknown>, words: RegExp): Promise<string | undefined> {
  try {
    await attempt();
    return 'it was accepted';
  } catch (error) {
    const said = [error, (error as Error).cause].map(String).join(' ');
    return words.test(said) ? undefined : said;
  }
}

/** Ends what a probe began. */
export async function forget(handle: WorkflowHandleWithFirstExecutionRunId): Promise<void> {
  await handle.terminate('it was a probe').catch(() => undefined);
}

/** What must be seen in the history of a workflow that goes too far. */
export async function inHistory(
  probing: Probing,
  type: string,
  args: unknown[],
  words: RegExp,
): Promise<string | undefined> {
  const handle = await start(probing, probing.served, type, args);
  const until = Date.now() + PROBE_MS;
  let seen = '';
  while (Date.now() < until && !words.test(seen)) {
    const [facts] = await familyOf(probing.client, handle.workflowId, handle.firstExecutionRunId);
    seen = [...facts!.failedTasks, JSON.stringify(facts!.end).slice(0, 300)].join(' ');
    if (facts!.end.status !== 'running') break;
    await sleep(200);
  }
  await forget(handle);
  return words.test(seen) ? undefined : seen;
}

/** A run that the server must end; reads no history, which is long. */
export async function isTerminated(probing: Probing, type: string): Promise<string | undefined> {
  const handle = await start(probing, probing.served, type);
  const until = Date.now() + FILLING_MS;
  for (;;) {
    const { status, historyLength } = await handle.describe();
    if (status.name === 'TERMINATED') return undefined;
    if (Date.now() < until) {
      await sleep(200);
      continue;
    }
    await forget(handle);
    return `the run is ${status.name} with ${historyLength} events`;
  }
}

/** Sends so many, some at a time; says how many were taken before one was refused, and why that was. */
export async function sendUntilRefused(
  count: number,
  send: (index: number) => Promise<unknown>,
  atATime: number,
): Promise<{ taken: number; why?: string }> {
  let taken = 0;
  let why: string | undefined;
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const work = async (): Promise<void> => {
    for (const index of indexes) {
      if (why !== undefined) return;
      await send(index).then(
        () => (taken += 1),
        (error: unknown) => (why ??= [error, (error as Error).cause].map(String).join(' ')),
      );
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { taken, ...(why === undefined ? {} : { why }) };
}
