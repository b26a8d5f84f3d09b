import { violationsIn } from './judge';
import { familyOf } from './histories';
import { PROBES } from './probes';
import { type Probing, start } from './probing';
import type { Fleet } from './shared-workers';
import { ownQueue } from './worker-order';
import type { LimitsWorld } from './world';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';

/** How thorough the look at the server is. */
export interface ProbeOptions {
  /** Also what takes half a minute each. */
  slow?: boolean;
}

/** The limits that are not in force, with what happened instead of a refusal. */
export async function limitsNotInForce(
  world: LimitsWorld,
  fleet: Fleet,
  { slow = false }: ProbeOptions = {},
): Promise<string[]> {
  // With a storage outside of histories nothing large would reach the server.
  const queue = fleet.ownQueue();
  const worker = world.isStoring ? await world.startWorker(queue, { REFLECT_STORAGE: '' }) : undefined;
  const served = ownQueue(worker ? queue : fleet.taskQueue);
  const probing: Probing = { client: world.plain, served, unserved: fleet.ownQueue() };
  const lax: string[] = [];
  for (const { name, isSlow, exceeds } of PROBES) {
    if (isSlow && !slow) continue;
    // A machine that is busy may keep a workflow task from its end in time: what is refused at the second attempt is refused.
    const instead = (await exceeds(probing)) && (await exceeds(probing));
    if (instead !== undefined) lax.push(`${name}: ${instead}`);
  }
  await worker?.stop();
  return lax;
}

/**
 * Sees each limit refuse something: on a laxer server the harness would find no violation ever.
 *
 * @throws Error that names the limits that are not in force
 */
export async function assertLimitsInForce(world: LimitsWorld, fleet: Fleet, options: ProbeOptions = {}): Promise<void> {
  const lax = await limitsNotInForce(world, fleet, options);
  if (lax.length > 0) throw new Error(`limits of production that are not in force here:\n${lax.join('\n')}`);
}

/** What the judge says of a workflow whose task fails again and again, and of one that was terminated. */
export async function judgeSees(
  world: LimitsWorld,
  taskQueue: string,
): Promise<Record<'broken' | 'terminated' | 'well', string[]>> {
  const probing: Probing = { client: world.client, served: ownQueue(taskQueue), unserved: '' };
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
