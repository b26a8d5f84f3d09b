import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import type { ReflectionClient, RunReference } from '../client';
import type { PipelineResult } from '../domain/pipeline';
import type { NodeProgress, PipelineProgress } from '../domain/pipeline-progress';
import type { ReflectionVersion } from '../domain/version';
import { ask } from './ask';
import { nodeEndLines, nodeStartLine } from './pipeline-view';
import { noWorkerText, pollerCount } from './pollers';
import { retryText } from './retries';
import { versionLines } from './version-lines';

const POLL_MS = 200;
const NO_ANSWER_MS = 3_000;
/** A call that failed is tried again for up to an hour: whoever watches should know why nothing happens. */
const STILL_MS = 5_000;

/** Says node by node what a pipeline does, with the versions of its loops. */
class Narrator {
  readonly #client: ReflectionClient;
  readonly #news: NodeJS.WriteStream;
  readonly #told = new Map<string, NodeProgress['status']>();
  readonly #lastVersions = new Map<string, ReflectionVersion>();
  lastNews = Date.now();

  constructor(client: ReflectionClient, news: NodeJS.WriteStream) {
    this.#client = client;
    this.#news = news;
  }

  async tell({ nodes }: PipelineProgress): Promise<void> {
    for (const [index, node] of nodes.entries()) {
      const before = this.#told.get(node.name);
      if (node.status === 'waiting' || before === 'done' || before === 'failed') continue;
      if (before === undefined) this.write([nodeStartLine(node, index, nodes.length)]);
      this.#told.set(node.name, node.status);
      if (node.workflowId !== undefined) await this.#tellVersions(node.workflowId);
      if (node.status !== 'running') this.write(nodeEndLines(node));
    }
  }

  write(lines: string[]): void {
    this.lastNews = Date.now();
    this.#news.write(`${lines.join('\n')}\n`);
  }

  async #tellVersions(workflowId: string): Promise<void> {
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

/** Follows a pipeline to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then. */
export async function followPipeline(
  client: ReflectionClient,
  { workflowId }: RunReference,
  news: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<{ result: PipelineResult; progress: PipelineProgress | undefined }> {
  const narrator = new Narrator(client, news);
  const look = () => ask(client, () => client.pipelineProgress(workflowId, { state: false }));
  let ended = false;
  const result = client.pipelineResult(workflowId).finally(() => (ended = true));
  // The loop below may end first, when the signal aborts.
  result.catch(() => undefined);
  let lastAnswer = Date.now();
  let warned = false;
  let lastRetry = '';
  while (!ended) {
    signal.throwIfAborted();
    const progress = await look();
    if (progress) {
      lastAnswer = Date.now();
      await narrator.tell(progress);
    } else if (!warned && Date.now() - lastAnswer > NO_ANSWER_MS) {
      warned = (await ask(client, () => pollerCount(client, client.taskQueue, 'workflow'))) === 0;
      if (warned) narrator.write([pc.yellow(noWorkerText(client.taskQueue))]);
    }
    if (Date.now() - narrator.lastNews > STILL_MS) {
      const waiting = progress?.nodes.find(({ status }) => status === 'running')?.workflowId ?? workflowId;
      const retry = (await ask(client, () => retryText(client, waiting))) ?? '';
      if (retry !== '' && retry !== lastRetry) narrator.write([pc.yellow(retry)]);
      lastRetry = retry;
    }
    await Promise.race([result.catch(() => undefined), sleep(POLL_MS, undefined, { signal }).catch(() => undefined)]);
  }
  const progress = await look();
  if (progress) await narrator.tell(progress);
  return { result: await result, progress };
}
