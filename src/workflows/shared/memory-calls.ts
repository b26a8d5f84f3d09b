import { type ActivityOptions, isCancellation, log, workflowInfo } from '@temporalio/workflow';
import type { KeepInput, MemoryActivities, RecallInput } from '../../activities/memory/protocol';
import { type Heartbeats, heartbeatTimeoutOf } from '../../lib/limits/recovery';
import { summaryText } from '../../lib/text/summary-text';
import { remoteActivities } from './activity-proxies';
import { timestamp } from './clock';

interface CallSettings {
  timeouts: Heartbeats;
}

/** Neither a draft nor a finished result waits longer for the memory; the activities end themselves within it. */
const RECALL_FOR_MS = 8_000;
const KEEP_FOR_MS = 10_000;

/** The time for which the memory is asked to keep something in a run that a person ends. */
const KEEP_IN_HASTE_MS = 3_000;

/** For a worker that stalls. */
const GRACE_MS = 5_000;

/** Attempts of a memory call, in case a worker is lost meanwhile. */
const ATTEMPTS = 3;

function activities({ timeouts }: CallSettings, forMs: number, summary: string): MemoryActivities {
  const options: ActivityOptions = {
    // No time for all attempts together: waiting for a worker is not a failure of the memory.
    startToCloseTimeout: forMs + GRACE_MS,
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, false),
    retry: { initialInterval: 200, backoffCoefficient: 2, maximumAttempts: ATTEMPTS },
    summary: summaryText(summary),
  };
  return remoteActivities(options);
}

interface FromMemory<T> {
  value: T;
  warning?: string;
}

/** A memory that cannot be asked costs its contribution, and nothing else. A cancellation is thrown on. */
async function askOrNothing<T>(call: Promise<T>, nothing: T, what: string): Promise<FromMemory<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const why = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : '';
    const warning = `${what}: ${why}`;
    log.warn(warning);
    return { value: nothing, warning };
  }
}

/** Asks what an agent remembers of a matter; nothing, with a warning, while the memory is away. */
export async function callRecall(
  settings: CallSettings,
  input: Omit<RecallInput, 'forMs'>,
): Promise<FromMemory<string[]>> {
  const { recallInsights } = activities(settings, RECALL_FOR_MS, `recall · ${input.agent}`);
  return askOrNothing(recallInsights({ ...input, forMs: RECALL_FOR_MS }), [], 'nothing was recalled');
}

/** Keeps what was learned. A memory that is away is waited for a few seconds; then it is lost, with a warning. */
export async function callKeep(
  settings: CallSettings,
  input: Omit<KeepInput, 'run' | 'createdAt' | 'forMs'>,
  inHaste = false,
): Promise<FromMemory<number>> {
  const forMs = inHaste ? KEEP_IN_HASTE_MS : KEEP_FOR_MS;
  const { keepInsights } = activities(settings, forMs, `remember · ${input.agent}`);
  const run = { run: workflowInfo().firstExecutionRunId, createdAt: timestamp() };
  return askOrNothing(keepInsights({ ...input, ...run, forMs }), 0, 'what was learned was not kept');
}
