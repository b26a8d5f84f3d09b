import pc from 'picocolors';
import type { ReflectionClient } from '../../client';
import type { ReflectionVersion } from '../../domain/state/loop-state';
import { ask } from '../support/ask';
import { versionLines } from '../views/version-lines';
import { type Followed, pollUntilEnd, versionsAfter } from './poll-run';

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
    const told = this.#lastVersions.get(workflowId)?.iteration ?? 0;
    for (const version of await versionsAfter(this.#client, workflowId, told)) {
      this.write(versionLines(version, this.#lastVersions.get(workflowId)).map((line) => `  ${line}`));
      this.#lastVersions.set(workflowId, version);
    }
  }
}

/** What says what happens. */
export type Teller = Pick<Narrator, 'write' | 'tellVersions'>;

/** How a run of nodes or tasks is followed. */
export interface PartsFollowed<Progress> extends Pick<Followed<Progress>, 'workflowId' | 'look' | 'busyRun'> {
  teller(narrator: Teller): (progress: Progress) => Promise<void>;
}

/**
 * Follows a run of nodes or tasks to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then.
 *
 * @returns its result, and what it said last
 */
export async function followParts<Result, Progress>(
  client: ReflectionClient,
  result: Promise<Result>,
  { teller, ...run }: PartsFollowed<Progress>,
  news: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<{ result: Result; progress: Progress | undefined }> {
  const narrator = new Narrator(client, news);
  const tell = teller(narrator);
  const notice = (text: string) => narrator.write([pc.yellow(text)]);
  await pollUntilEnd(client, result, { ...run, tell, notice, lastNews: () => narrator.lastNews }, signal);
  const progress = await ask(client, () => run.look());
  if (progress) await tell(progress);
  return { result: await result, progress };
}
