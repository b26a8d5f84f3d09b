import { setTimeout as sleep } from 'node:timers/promises';
import type { ReflectionClient } from '../../../client';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { ask } from '../support/ask';
import { warnWithoutWorker } from '../support/pollers';
import { plainActivityName } from '../../../lib/names/activity-names';
import { oneLine } from '../views/printable';

async function retryText(client: ReflectionClient, workflowId: string): Promise<string | undefined> {
  const { raw } = await client.temporal.workflow.getHandle(workflowId).describe();
  const failing = raw.pendingActivities?.find(({ lastFailure }) => lastFailure);
  if (!failing?.lastFailure) return undefined;
  const { message, applicationFailureInfo } = failing.lastFailure;
  const type = applicationFailureInfo?.type;
  const step = plainActivityName(failing.activityType?.name ?? 'a step');
  return oneLine(`${step} failed and is tried again: ${type ? `${type}: ` : ''}${message}`, 400);
}

const POLL_MS = 200;
const SLOW_POLL_MS = 1_000;
/** The age of its last event after which a run is asked less often: a user only watches, nothing depends on it. */
const RECENT_MS = 10_000;
const NO_ANSWER_MS = 3_000;
/** The time after which a missing event is explained: a call that failed is tried again for up to an hour. */
const STILL_MS = 5_000;

export interface Followed<Progress> {
  workflowId: string;
  look(): Promise<Progress>;
  tell(progress: Progress): Promise<void>;
  notice(text: string): void;
  /** Returns when something was reported last, in milliseconds since 1970. */
  lastNews(): number;
  busyRun?(progress: Progress): string | undefined;
}

/**
 * Asks a run for its progress until it has ended, and reports each change. Stops asking, without touching the run, when `signal`
 * aborts; it rejects then.
 */
export async function pollUntilEnd<Progress>(
  client: ReflectionClient,
  result: Promise<unknown>,
  { workflowId, ...run }: Followed<Progress>,
  signal: AbortSignal,
): Promise<void> {
  let hasEnded = false;
  const end = result.catch(() => undefined).then(() => (hasEnded = true));
  let lastAnswer = Date.now();
  let warned = false;
  let lastRetry = '';
  while (!hasEnded) {
    signal.throwIfAborted();
    const progress = await ask(client, () => run.look());
    if (progress) {
      lastAnswer = Date.now();
      await run.tell(progress);
    } else if (!warned && Date.now() - lastAnswer > NO_ANSWER_MS) {
      await warnWithoutWorker(client, (text) => {
        warned = true;
        run.notice(text);
      });
    }
    if (Date.now() - run.lastNews() > STILL_MS) {
      const busy = (progress && run.busyRun?.(progress)) ?? workflowId;
      const retry = (await ask(client, () => retryText(client, busy))) ?? '';
      if (retry !== '' && retry !== lastRetry) run.notice(retry);
      lastRetry = retry;
    }
    const pause = Date.now() - run.lastNews() > RECENT_MS ? SLOW_POLL_MS : POLL_MS;
    await Promise.race([end, sleep(pause, undefined, { signal }).catch(() => undefined)]);
  }
}

export async function versionsAfter(
  client: ReflectionClient,
  workflowId: string,
  iteration: number,
): Promise<ReflectionVersion[]> {
  const handle = client.temporal.workflow.getHandle(workflowId);
  const page = await ask(client, () =>
    handle.query<{ versions: ReflectionVersion[] }, [{ from: number }]>('history', { from: iteration + 1 }),
  );
  return page?.versions ?? [];
}
