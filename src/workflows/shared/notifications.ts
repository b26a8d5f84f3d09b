import {
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  metricMeter,
  workflowInfo,
} from '@temporalio/workflow';
import type { NotifyInput } from '../../activities/protocol';
import { messageOf } from '../../lib/base/message-of';
import type { UnlinkedWait } from '../../loop/page/wait-notice';
import { remoteActivities } from './activity-proxies';

/** Reports a wait of an item to its batch, which sends the notification. Like `report`: no other caller sends them. */
export const waitSignal = defineSignal<[UnlinkedWait]>('waiting');

/** A receiver that is away for longer gets no message. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;
const LEAST_MS = 1_000;

/** In the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionMessages';

export function nextMessageNumber(): number {
  const own = globalThis as { [KEY]?: number };
  own[KEY] = (own[KEY] ?? 0) + 1;
  return own[KEY];
}

/**
 * The id of a wait or of a message. All runs of a chain make the same. A run that was reset waits anew, at another time.
 * @param message when it began, in epoch milliseconds, and its number
 */
export function idOfMessage({ since, number }: { since: number; number: number }): string {
  return `${workflowInfo().firstExecutionRunId}-${since}-${number}`;
}

function countNotification(outcome: 'sent' | 'given_up'): void {
  const help = 'Notifications of waits, by how they ended.';
  metricMeter.createCounter('reflect_notifications_total', undefined, help).add(1, { outcome });
}

/**
 * Sends a notification, again and again until the receiver has it. Its failure is a line of the log and a metric, because no run
 * depends on it.
 * @param withinMs for how long it is tried, a day at most
 * @throws CancelledFailure
 */
export async function sendNotification(message: NotifyInput, withinMs: number): Promise<void> {
  const { notify } = remoteActivities({
    startToCloseTimeout: '15s',
    scheduleToCloseTimeout: Math.max(LEAST_MS, Math.min(withinMs, LONGEST_MS)),
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
    summary: message.type,
  });
  try {
    await notify(message);
    countNotification('sent');
  } catch (error) {
    if (isCancellation(error)) throw error;
    countNotification('given_up');
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    log.warn(`A notification was given up: ${messageOf(cause)}`, { notification: message.id, type: message.type });
  }
}

/** Reports a wait to another run, if it is there. */
export async function informRun(workflowId: string, wait: UnlinkedWait): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(waitSignal, wait);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(`A wait could not be reported to ${workflowId}: ${messageOf(error)}`);
  }
}
