import { CancellationScope, isCancellation, log, metricMeter, sleep, workflowInfo } from '@temporalio/workflow';
import type { Notify } from '../../loop/base/notify';
import { messageOf } from '../../lib/base/message-of';
import { waitNotice } from '../../loop/page/wait-notice';
import type { OpenWait, WaitRecord } from '../../loop/state/parked-step';
import { beginNotice, noteNotified, presentWait } from '../../loop/state/review-wait';
import { noteEvent, now, timestamp } from '../shared/clock';
import { idOfMessage, nextMessageNumber, sendNotification, informRun } from '../shared/notifications';
import { callHooksOfWait } from './hooks';
import type { LoopRun } from './loop-run';

/** @param asked the questions and calls of a step; undefined for a review */
export function countWaits(asked: readonly OpenWait[] | undefined, isInTime: boolean): void {
  const help = 'Waits for a person that ended, by how.';
  const counter = metricMeter.createCounter('reflect_waits_total', undefined, help);
  const without = isInTime ? 'dropped' : 'timeout';
  if (!asked) counter.add(1, { kind: 'review', outcome: isInTime ? 'answered' : 'timeout' });
  for (const { kind, answer } of asked ?? []) counter.add(1, { kind, outcome: answer ? 'answered' : without });
}

async function notify(
  run: LoopRun,
  { settings, notice }: { settings: Notify; notice: WaitRecord },
  what: 'began' | 'reminder',
  withinMs: number,
): Promise<void> {
  const { spec, state } = run;
  const { via } = settings;
  const { workflowId, runId } = workflowInfo();
  const id = idOfMessage(notice);
  const wait = waitNotice(state, spec.settings, {
    id,
    workflowId,
    runId,
    name: spec.name,
    reminder: what === 'reminder',
    text: settings.text === true && via === undefined,
    commands: via === undefined,
  });
  if (!wait) return;
  if (via !== undefined) await informRun(via, wait);
  else {
    const [message, type] =
      what === 'began' ? [id, 'wait.began' as const] : [`${id}-reminder`, 'wait.reminder' as const];
    await sendNotification({ id: message, type, timestamp: timestamp(), waits: [wait] }, withinMs);
  }
  noteNotified(state, notice, what);
}

async function notifyReceiver(run: LoopRun, notice: WaitRecord, until: number): Promise<void> {
  const { notify: settings } = run;
  if (!settings) return;
  const about = { settings, notice };
  const half = notice.since + (until - notice.since) / 2;
  if (!notice.began) await notify(run, about, 'began', half - now());
  if (notice.reminder) return;
  if (half > now()) {
    await sleep(Math.max(1, half - Date.now()), { summary: 'half of the time for the review' });
    noteEvent();
  }
  await notify(run, about, 'reminder', until - now());
}

export function notifyOfWait(run: LoopRun): () => void {
  const { state, spec, hooks } = run;
  const isDue = run.notify ?? spec.hooks?.onWaiting ?? hooks?.onWaiting;
  const wait = presentWait(state);
  if (!isDue || !wait) return () => undefined;
  const notice = wait.notice ?? { since: now(), number: nextMessageNumber() };
  beginNotice(state, notice);
  const scope = new CancellationScope();
  for (const work of [callHooksOfWait, notifyReceiver]) {
    scope
      .run(() => work(run, notice, wait.until))
      .catch((error: unknown) => {
        if (!isCancellation(error)) log.warn(`A wait was not reported: ${messageOf(error)}`);
      });
  }
  return () => scope.cancel();
}
