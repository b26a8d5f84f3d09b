import { randomUUID } from 'node:crypto';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { familyOf } from './histories';
import { violationsIn } from './judge';
import { SERVER_LIMITS } from './server-limits';
import type { Fleet } from './shared-workers';
import { ownQueue } from './worker-order';
import type { LimitsWorld } from './world';

/** Sees that the server refuses what goes beyond one of its limits. */
interface Probe {
  name: string;
  /** Undefined: it was refused; else what happened instead. */
  exceeds(probing: Probing): Promise<string | undefined>;
}

interface Probing {
  world: LimitsWorld;
  /** A queue with the workflows of the harness. */
  served: string;
  /** A queue that nobody serves. */
  unserved: string;
}

async function start(
  { world }: Probing,
  taskQueue: string,
  type: string,
  args: unknown[] = [],
): Promise<WorkflowHandleWithFirstExecutionRunId> {
  return world.client.workflow.start(type, { taskQueue, workflowId: `probe-${randomUUID()}`, args });
}

/** What must be refused at once. */
async function refusal(attempt: () => Promise<unknown>, words: RegExp): Promise<string | undefined> {
  try {
    await attempt();
    return 'it was accepted';
  } catch (error) {
    const said = [error, (error as Error).cause].map(String).join(' ');
    return words.test(said) ? undefined : said;
  }
}

const PROBE_MS = 30_000;

/** What must be seen in the history of a workflow that goes too far. */
async function inHistory(probing: Probing, type: string, args: unknown[], words: RegExp): Promise<string | undefined> {
  const handle = await start(probing, probing.served, type, args);
  const until = Date.now() + PROBE_MS;
  let seen = '';
  while (Date.now() < until) {
    const [facts] = await familyOf(probing.world.client, handle.workflowId, handle.firstExecutionRunId);
    seen = [...facts!.failedTasks, JSON.stringify(facts!.end).slice(0, 300)].join(' ');
    if (words.test(seen)) {
      await handle.terminate('it was a probe').catch(() => undefined);
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await handle.terminate('it was a probe').catch(() => undefined);
  return seen;
}

/** Signals of nearly 2 MiB for a run without a worker, until its history is full. */
async function fillsHistory(probing: Probing): Promise<string | undefined> {
  const handle = await start(probing, probing.unserved, 'waits');
  const bytes = 1_900_000;
  const enough = Math.ceil(SERVER_LIMITS['limit.historySize.error'] / bytes) + 2;
  for (let sent = 0; sent < enough; sent += 1) {
    // The last one is refused, and ends the run.
    const wasTaken = await handle.signal('large', 'x'.repeat(bytes)).then(
      () => true,
      () => false,
    );
    if (!wasTaken) break;
  }
  const { status } = await handle.describe();
  return status.name === 'TERMINATED'
    ? undefined
    : `the run is ${status.name} after signals of ${enough * bytes} bytes`;
}

const PROBES: readonly Probe[] = [
  {
    name: 'a payload of 2 MiB',
    exceeds: (probing) =>
      refusal(
        () => start(probing, probing.unserved, 'waits', ['x'.repeat(2_200_000)]),
        /exceeds (size )?limit|too large/i,
      ),
  },
  {
    name: 'a result of 2 MiB',
    exceeds: (probing) => inHistory(probing, 'returns', [2_200_000], /PAYLOADS_TOO_LARGE|exceeds|too large/i),
  },
  {
    name: 'a message of 4 MiB',
    exceeds: (probing) =>
      inHistory(probing, 'schedules', [5, 1_500_000], /GRPC_MESSAGE_TOO_LARGE|GrpcMessageTooLarge/i),
  },
  {
    name: '2,000 pending activities',
    exceeds: (probing) => inHistory(probing, 'schedules', [2_001, 1], /PENDING_ACTIVITIES_LIMIT_EXCEEDED/),
  },
  {
    name: 'ids of 1,000 characters',
    exceeds: ({ world, unserved }) =>
      refusal(
        () => world.client.workflow.start('waits', { taskQueue: unserved, workflowId: 'i'.repeat(1_001) }),
        /exceeds length limit|length/i,
      ),
  },
  { name: 'a history of 50 MiB', exceeds: fillsHistory },
];

/** The limits that are not in force, with what happened instead of a refusal. */
export async function limitsNotInForce(world: LimitsWorld, fleet: Fleet): Promise<string[]> {
  const probing: Probing = { world, served: ownQueue(fleet.taskQueue), unserved: fleet.ownQueue() };
  const lax: string[] = [];
  for (const { name, exceeds } of PROBES) {
    const instead = await exceeds(probing);
    if (instead !== undefined) lax.push(`${name}: ${instead}`);
  }
  return lax;
}

/**
 * Sees each limit refuse something: on a laxer server the harness would find no violation ever.
 *
 * @throws Error that names the limits that are not in force
 */
export async function assertLimitsInForce(world: LimitsWorld, fleet: Fleet): Promise<void> {
  const lax = await limitsNotInForce(world, fleet);
  if (lax.length > 0) throw new Error(`limits of production that are not in force here:\n${lax.join('\n')}`);
}

/** What the judge says of a workflow whose task fails again and again, and of one that was terminated. */
export async function judgeSees(
  world: LimitsWorld,
  taskQueue: string,
): Promise<Record<'broken' | 'terminated' | 'well', string[]>> {
  const probing: Probing = { world, served: ownQueue(taskQueue), unserved: '' };
  const seen = async (handle: WorkflowHandleWithFirstExecutionRunId): Promise<string[]> =>
    violationsIn(await familyOf(world.client, handle.workflowId, handle.firstExecutionRunId), () => undefined);
  const broken = await start(probing, probing.served, 'breaks');
  await broken.signal('goOn');
  const until = Date.now() + 60_000;
  while (Date.now() < until && ((await broken.describe()).raw.pendingWorkflowTask?.attempt ?? 0) < 3) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const ofBroken = await seen(broken);
  await broken.terminate('it was a probe');
  const terminated = await start(probing, probing.served, 'waits');
  await terminated.terminate('somebody ended it');
  const well = await start(probing, probing.served, 'passes');
  await well.result();
  return { broken: ofBroken, terminated: await seen(terminated), well: await seen(well) };
}
