import pc from 'picocolors';
import type { ReflectionClient } from '../../../client';
import { addUsage, NO_USAGE } from '../../../lib/base/tokens';
import type { TokenUsage } from '../../../lib/contract/values';
import { describePhase } from '../../../loop/page/progress';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { ask } from '../support/ask';
import { StatusLine } from '../terminal/status-line';
import { versionLines } from '../views/version-lines';
import { Waits } from '../views/waiting-view';
import { type Followed, pollUntilEnd, versionsAfter } from './poll-run';

export class Narrator {
  readonly #client: ReflectionClient;
  readonly #line: StatusLine;
  readonly #lastVersions = new Map<string, ReflectionVersion>();
  lastNews = Date.now();

  constructor(client: ReflectionClient, line: StatusLine) {
    this.#client = client;
    this.#line = line;
  }

  write(lines: string[]): void {
    this.lastNews = Date.now();
    this.#line.write(lines);
  }

  async tellVersions(workflowId: string): Promise<void> {
    const told = this.#lastVersions.get(workflowId)?.iteration ?? 0;
    for (const version of await versionsAfter(this.#client, workflowId, told)) {
      this.write(versionLines(version, this.#lastVersions.get(workflowId)).map((line) => `  ${line}`));
      this.#lastVersions.set(workflowId, version);
    }
  }
}

export type Teller = Pick<Narrator, 'write' | 'tellVersions'>;

/** Asks the run for more than its progress; undefined if no worker answers. */
export type Question = <Answer>(query: string, argument: object) => Promise<Answer | undefined>;

export interface PartsFollowed<Progress> extends Pick<Followed<Progress>, 'workflowId' | 'look' | 'busyRun'> {
  teller(narrator: Teller, query: Question): (progress: Progress) => Promise<void>;
  doing(progress: Progress): string;
  usage(progress: Progress): TokenUsage;
  /** Returns when the run began what it does now, in epoch milliseconds. Default: when that was first seen. */
  since?(progress: Progress): number;
}

/** Follows a run of nodes or tasks. Stops asking, and rejects, when `signal` aborts; the run goes on. */
export async function followParts<Result, Progress>(
  client: ReflectionClient,
  result: Promise<Result>,
  { teller, doing, usage, since, ...run }: PartsFollowed<Progress>,
  news: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<{ result: Result; progress: Progress | undefined }> {
  const line = new StatusLine(news);
  line.show('starting', undefined);
  const narrator = new Narrator(client, line);
  const waits = new Waits();
  const handle = client.temporal.workflow.getHandle(run.workflowId);
  const query: Question = <Answer>(name: string, argument: object) =>
    ask(client, () => handle.query<Answer, [object]>(name, argument));
  const tellParts = teller(
    { write: (lines) => narrator.write(lines), tellVersions: (id) => narrator.tellVersions(id) },
    query,
  );
  const tell = async (progress: Progress): Promise<void> => {
    await tellParts(progress);
    const busy = run.busyRun?.(progress);
    const loop = busy === undefined ? undefined : await ask(client, () => client.progress(busy));
    const phase = loop === undefined ? [] : [describePhase(loop.phase, loop.iteration)];
    // What a loop has spent is added to the whole when it ends.
    const spent = addUsage(usage(progress), loop?.tokenUsage ?? NO_USAGE);
    line.show([doing(progress), ...phase].join(': '), spent, since?.(progress));
    const id = busy ?? '';
    const waiting = await waits.news(loop?.waitingFor, id, (iteration) => versionsAfter(client, id, iteration));
    if (waiting.length > 0) narrator.write(waiting);
  };
  const notice = (text: string) => narrator.write([pc.yellow(text)]);
  try {
    await pollUntilEnd(client, result, { ...run, tell, notice, lastNews: () => narrator.lastNews }, signal);
    const progress = await ask(client, () => run.look());
    if (progress) await tellParts(progress);
    return { result: await result, progress };
  } finally {
    line.close();
  }
}
