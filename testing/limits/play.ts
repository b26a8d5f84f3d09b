import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkflowHandleWithFirstExecutionRunId, WorkflowNotFoundError } from '@temporalio/client';
import type { Progress } from '../../src/loop/contract/results';
import { familyOf, type RunFacts } from './histories';
import { outcomeOf, violationsIn } from './judge';
import type { LimitCase, PlayedCase, RunningCase } from './limit-case';
import { resultCheck } from './result-checks';
import type { Fleet } from './shared-workers';
import { ownQueue } from './worker-order';
import type { LimitsWorld } from './world';

const DEFAULT_SECONDS = 45;
/** What a run gets to end once it was told to. */
const ENDING_MS = 30_000;
/** How often a run is looked at: most end within a second, and few take minutes. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 500;
/** A worker that takes more than this for one run takes others down with it. */
const MOST_MEMORY_BYTES = 2 * 1_024 * 1_024 * 1_024;

type Handle = WorkflowHandleWithFirstExecutionRunId;

/** A workflow task that was tried so often, and left nothing in the history for so long, is not to be expected to succeed. */
const STUCK = { attempts: 3, milliseconds: 8_000 };

/** A run that still grows is slow, on a busy machine: it may take so many times as long, as long as it has grown lately. */
const PATIENCE = { times: 4, milliseconds: 10_000 };

/** Returns whether the run has ended; waits for it so long at most, and longer while it gets further. */
async function ends(handle: Handle, milliseconds: number): Promise<'ended' | 'stuck' | 'running'> {
  const begun = Date.now();
  let grown = { length: 0, at: begun };
  for (let look = FIRST_LOOK_MS; ; look = Math.min(LOOK_MS, look * 1.5)) {
    const { status, historyLength: length, raw } = await handle.describe();
    if (status.name !== 'RUNNING') return 'ended';
    if (length !== grown.length) grown = { length, at: Date.now() };
    const attempts = raw.pendingWorkflowTask?.attempt ?? 0;
    const [waited, stood] = [Date.now() - begun, Date.now() - grown.at];
    if (attempts > STUCK.attempts && stood > STUCK.milliseconds) return 'stuck';
    const isSlow = stood < PATIENCE.milliseconds && waited < milliseconds * PATIENCE.times;
    if (waited > milliseconds && !isSlow) return 'running';
    await sleep(look);
  }
}

/** Tells a run to end in the way that its kind knows. */
async function tellToEnd(handle: Handle, { workflow }: LimitCase): Promise<void> {
  try {
    if (workflow === 'reflectionLoop') await handle.signal('abort', { by: 'limits' });
    else if (workflow === 'agentReflection') await handle.signal('finish');
    else await handle.cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Returns whether a loop that may wait for a person does so. Of what runs in children, nothing more is looked at. */
async function waitsForPerson(handle: Handle, { workflow }: LimitCase): Promise<boolean> {
  if (workflow !== 'reflectionLoop') return true;
  const { phase } = await handle.query<Pick<Progress, 'phase'>>('progress');
  return phase === 'waiting';
}

/** What is left of a run must not disturb the next. */
async function remove(handle: Handle, family: readonly RunFacts[], world: LimitsWorld): Promise<void> {
  const open = new Set([handle.workflowId, ...family.flatMap(({ workflowId, children }) => [workflowId, ...children])]);
  for (const workflowId of open) {
    await world.client.workflow
      .getHandle(workflowId)
      .terminate('the harness ends what did not end')
      .catch(() => undefined);
  }
}

async function start(limitCase: LimitCase, world: LimitsWorld, taskQueue: string): Promise<Handle> {
  const { workflow, argument } = limitCase;
  return world.client.workflow.start(workflow, {
    taskQueue: workflow === 'reflectsInside' ? ownQueue(taskQueue) : taskQueue,
    workflowId: `limits-${randomUUID()}`,
    args: [argument],
  });
}

/** Runs one case to its end, or as far as it comes, and judges what its histories say. */
export async function playCase(limitCase: LimitCase, world: LimitsWorld, fleet: Fleet): Promise<PlayedCase> {
  const started = performance.now();
  const violations: string[] = [];
  const own = limitCase.beforeWorker ? fleet.ownQueue() : undefined;
  const handle = await start(limitCase, world, own ?? fleet.taskQueue);
  await limitCase.beforeWorker?.({ handle });
  const worker = own === undefined ? fleet.worker : await fleet.own(own);
  const deaths = worker.deaths;
  worker.peakBytes = 0;
  const running: RunningCase = { handle, worker };
  let isOver = false;
  const steering = limitCase.meanwhile?.(running).catch((error: unknown) => {
    // A run may end before all was done to it; then its worker is stopped, perhaps while it is started again.
    if (isOver) return;
    violations.push(`what was done meanwhile failed: ${String(error)}`.slice(0, 400));
  });
  let state = await ends(handle, (limitCase.seconds ?? DEFAULT_SECONDS) * 1_000);
  const wasTold = state === 'running';
  if (wasTold) {
    const isWaiting = limitCase.waitsForPerson && (await waitsForPerson(handle, limitCase));
    if (!isWaiting) violations.push(`it has not ended after ${limitCase.seconds ?? DEFAULT_SECONDS} s`);
    await tellToEnd(handle, limitCase);
    state = await ends(handle, ENDING_MS);
  }
  await Promise.race([steering, sleep(state === 'ended' ? 5_000 : 0)]);
  const family = await familyOf(world.client, handle.workflowId, handle.firstExecutionRunId);
  violations.push(...violationsIn(family, resultCheck(limitCase), limitCase.kills));
  if (state !== 'ended') await remove(handle, family, world);
  if (worker.deaths > deaths) {
    violations.push(`the worker's process died ${worker.deaths - deaths} times, at last by ${worker.lastDeath}`);
  }
  if (worker.peakBytes > MOST_MEMORY_BYTES) {
    violations.push(`the worker took ${Math.round(worker.peakBytes / 1_048_576)} MiB of memory`);
  }
  isOver = true;
  if (own !== undefined) await worker.stop();
  const sum = (of: (facts: RunFacts) => number): number => family.reduce((total, facts) => total + of(facts), 0);
  return {
    name: limitCase.name,
    workflow: limitCase.workflow,
    outcome: wasTold ? `${outcomeOf(family)} (told to end)` : outcomeOf(family),
    runs: family.length,
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    ms: performance.now() - started,
    failedTasks: family.flatMap(({ failedTasks }) => failedTasks),
    violations,
  };
}
