import { type ActivityOptions, isCancellation, log, workflowInfo } from '@temporalio/workflow';
import type { KeepInput, MemoryActivities, RecallInput } from '../activities/protocol-memory';
import { type Heartbeats, heartbeatTimeoutOf } from '../domain/recovery';
import { summaryText } from '../domain/summary-text';
import { remoteActivities } from './activity-proxies';

/** What a call needs to know of its run. */
interface CallSettings {
  timeouts: Heartbeats & { retryForMs: number };
}

/** Another process may hold the folder for a while. */
const ATTEMPT_MS = 60_000;

/** Without what was learned before, a run can go on; with a memory that is away, it should not wait for long. */
const RECALL_FOR_MS = 2 * ATTEMPT_MS;

function activities({ timeouts }: CallSettings, tryForMs: number, summary: string): MemoryActivities {
  const options: ActivityOptions = {
    startToCloseTimeout: ATTEMPT_MS,
    scheduleToCloseTimeout: tryForMs,
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, false),
    retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 30_000 },
    summary: summaryText(summary),
  };
  return remoteActivities(options);
}

/** A memory that cannot be asked costs what it would have said, and nothing else. A cancellation is thrown on. */
async function orNothing<T>(call: Promise<T>, nothing: T, what: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(
      `${what}: ${error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : ''}`,
    );
    return nothing;
  }
}

/** What an agent remembers of a matter; nothing, with a warning in the log, while the memory is away. */
export async function callRecall(settings: CallSettings, input: RecallInput): Promise<string[]> {
  const { recallInsights } = activities(settings, RECALL_FOR_MS, `recall · ${input.agent}`);
  return orNothing(recallInsights(input), [], 'Nothing was recalled');
}

/** Who ends a run wants it to end; what it learned is worth a moment. */
const KEEP_IN_HASTE_MS = 3_000;

/**
 * Keeps what was learned. The memory is waited for as long as models are, or a moment where there is haste; then it is lost,
 * with a warning in the log.
 */
export async function callKeep(
  settings: CallSettings,
  input: Omit<KeepInput, 'run' | 'createdAt'>,
  inHaste = false,
): Promise<void> {
  const { retryForMs } = settings.timeouts;
  const tryForMs = inHaste ? Math.min(KEEP_IN_HASTE_MS, retryForMs) : retryForMs;
  const { keepInsights } = activities(settings, tryForMs, `remember · ${input.agent}`);
  const given = { ...input, run: workflowInfo().firstExecutionRunId, createdAt: new Date(Date.now()).toISOString() };
  await orNothing(keepInsights(given), 0, 'What was learned was not kept');
}
