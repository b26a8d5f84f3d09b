import { setTimeout as sleep } from 'node:timers/promises';
import type { ReflectionClient, RunReference } from '../../client';
import type { Progress } from '../../domain/page/progress';
import type { ReflectionResult } from '../../domain/versions/result';
import type { ReflectionVersion } from '../../domain/state/loop-state';
import { ask } from '../support/ask';
import { noWorkerText, pollerCount } from '../support/pollers';
import { retryText } from './retries';

/** What someone who follows a run is told, as it happens. */
export interface Listener {
  /** A version was judged. */
  onVersion(version: ReflectionVersion, before: ReflectionVersion | undefined): void;
  /** Where the run stands, asked a few times a second. */
  onProgress?(progress: Progress): void;
  /** Something that keeps the run from going on. */
  onNotice(text: string): void;
}

const POLL_MS = 200;
const SLOW_POLL_MS = 1_000;
/** Runs whose last news is older are asked less often: people watch, nothing depends on it. */
const RECENT_MS = 10_000;
const NO_ANSWER_MS = 3_000;
/** A call that failed is tried again for up to an hour: whoever watches should know why nothing happens. */
const STILL_MS = 5_000;

/** Follows a run to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then. */
export async function followRun(
  client: ReflectionClient,
  { workflowId }: Pick<RunReference, 'workflowId'>,
  listener: Listener,
  signal: AbortSignal,
): Promise<ReflectionResult> {
  const told = new Told(listener);
  let ended = false;
  const result = client.result(workflowId).finally(() => (ended = true));
  // The loop below may end first, when the signal aborts.
  result.catch(() => undefined);
  let lastNews = Date.now();
  let lastAnswer = Date.now();
  let warned = false;
  let lastRetry = '';
  while (!ended) {
    signal.throwIfAborted();
    const progress = await ask(client, () => client.progress(workflowId));
    if (progress) {
      lastAnswer = Date.now();
      listener.onProgress?.(progress);
      if (progress.scores.length > told.count && (await tellNews(client, workflowId, told))) lastNews = Date.now();
    } else if (!warned && Date.now() - lastAnswer > NO_ANSWER_MS) {
      warned = (await ask(client, () => pollerCount(client, client.taskQueue, 'workflow'))) === 0;
      if (warned) listener.onNotice(noWorkerText(client.taskQueue));
    }
    if (Date.now() - lastNews > STILL_MS) {
      const retry = (await ask(client, () => retryText(client, workflowId))) ?? '';
      if (retry !== '' && retry !== lastRetry) listener.onNotice(retry);
      lastRetry = retry;
    }
    const pause = Date.now() - lastNews > RECENT_MS ? SLOW_POLL_MS : POLL_MS;
    await Promise.race([result.catch(() => undefined), sleep(pause, undefined, { signal }).catch(() => undefined)]);
  }
  try {
    const { history } = await result;
    told.tell(history.versions);
  } catch (error) {
    // A failed run hands back no versions, but while its worker lives it still answers.
    await tellNews(client, workflowId, told);
    throw error;
  }
  return result;
}

/** Versions that were told already are not told again. */
class Told {
  #last: ReflectionVersion | undefined;

  constructor(readonly listener: Listener) {}

  get count(): number {
    return this.#last?.iteration ?? 0;
  }

  tell(versions: readonly ReflectionVersion[]): boolean {
    const news = versions.filter((version) => version.iteration > this.count);
    for (const version of news) {
      this.listener.onVersion(version, this.#last);
      this.#last = version;
    }
    return news.length > 0;
  }
}

async function tellNews(client: ReflectionClient, workflowId: string, told: Told): Promise<boolean> {
  const handle = client.temporal.workflow.getHandle(workflowId);
  const page = await ask(client, () =>
    handle.query<{ versions: ReflectionVersion[] }, [{ from: number }]>('history', { from: told.count + 1 }),
  );
  return page !== undefined && told.tell(page.versions);
}
