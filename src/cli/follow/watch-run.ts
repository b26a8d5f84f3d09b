import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import type { ReflectionClient } from '../../client';
import type { ReflectionVersion } from '../../domain/state/loop-state';
import { ask } from '../support/ask';
import { noWorkerText, pollerCount } from '../support/pollers';
import { retryText } from './retries';
import { versionLines } from '../views/version-lines';

const POLL_MS = 200;
const NO_ANSWER_MS = 3_000;
/** A call that failed is tried again for up to an hour: whoever watches should know why nothing happens. */
const STILL_MS = 5_000;

/** Writes what happens in a run, and the versions of the loops that it starts. */
export class Narrator {
  readonly #client: ReflectionClient;
  readonly #news: NodeJS.WriteStream;
  readonly #lastVersions = new Map<string, ReflectionVersion>();
  lastNews = Date.now();

  constructor(client: ReflectionClient, news: NodeJS.WriteStream) {
    this.#client = client;
    this.#news = news;
  }

  write(lines: string[]): void {
    this.lastNews = Date.now();
    this.#news.write(`${lines.join('\n')}\n`);
  }

  /** The versions of a loop that were not told yet. */
  async tellVersions(workflowId: string): Promise<void> {
    const from = (this.#lastVersions.get(workflowId)?.iteration ?? 0) + 1;
    const handle = this.#client.temporal.workflow.getHandle(workflowId);
    const page = await ask(this.#client, () =>
      handle.query<{ versions: ReflectionVersion[] }, [{ from: number }]>('history', { from }),
    );
    for (const version of page?.versions ?? []) {
      this.write(versionLines(version, this.#lastVersions.get(workflowId)).map((line) => `  ${line}`));
      this.#lastVersions.set(workflowId, version);
    }
  }
}

/** What says what happens. */
export type Teller = Pick<Narrator, 'write' | 'tellVersions'>;

/** A run of nodes or tasks that somebody follows. */
export interface Watched<Result, Progress> {
  workflowId: string;
  result: Promise<Result>;
  look(): Promise<Progress>;
  tell(progress: Progress): Promise<void>;
  /** The run, or the one of a loop in it, whose call is under way. */
  busyRun(progress: Progress): string | undefined;
}

/**
 * Follows a run to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then.
 *
 * @returns its result, and what it said last
 */
export async function watchRun<Result, Progress>(
  client: ReflectionClient,
  narrator: Narrator,
  { workflowId, look, tell, busyRun, ...watched }: Watched<Result, Progress>,
  signal: AbortSignal,
): Promise<{ result: Result; progress: Progress | undefined }> {
  const lookOnce = () => ask(client, look);
  let ended = false;
  const result = watched.result.finally(() => (ended = true));
  // The loop below may end first, when the signal aborts.
  result.catch(() => undefined);
  let lastAnswer = Date.now();
  let warned = false;
  let lastRetry = '';
  while (!ended) {
    signal.throwIfAborted();
    const progress = await lookOnce();
    if (progress) {
      lastAnswer = Date.now();
      await tell(progress);
    } else if (!warned && Date.now() - lastAnswer > NO_ANSWER_MS) {
      warned = (await ask(client, () => pollerCount(client, client.taskQueue, 'workflow'))) === 0;
      if (warned) narrator.write([pc.yellow(noWorkerText(client.taskQueue))]);
    }
    if (Date.now() - narrator.lastNews > STILL_MS) {
      const busy = (progress && busyRun(progress)) ?? workflowId;
      const retry = (await ask(client, () => retryText(client, busy))) ?? '';
      if (retry !== '' && retry !== lastRetry) narrator.write([pc.yellow(retry)]);
      lastRetry = retry;
    }
    await Promise.race([result.catch(() => undefined), sleep(POLL_MS, undefined, { signal }).catch(() => undefined)]);
  }
  const progress = await lookOnce();
  if (progress) await tell(progress);
  return { result: await result, progress };
}
