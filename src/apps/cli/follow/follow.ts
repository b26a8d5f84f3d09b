import type { ReflectionClient, RunReference } from '../../../client';
import { runsOf } from '../../../kinds/list/client';
import type { Progress, ReflectionResult } from '../../../loop/contract/results';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { isLoopResult } from '../../../loop/versions/result';
import { Waits } from '../views/waiting-view';
import { pollUntilEnd, versionsAfter } from './poll-run';

export interface Listener {
  onVersion(version: ReflectionVersion, before: ReflectionVersion | undefined): void;
  onProgress?(progress: Progress): void;
  /**
   * Receives the text that is being written, as far as it has come; empty when it is done, or begins again. Undefined: the text
   * is not followed.
   */
  onText?(text: string): void;
  onWait?(lines: readonly string[]): void;
  onNotice(text: string): void;
}

/** Follows a loop to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then. */
export async function followRun(...followed: Parameters<typeof followAny>): Promise<ReflectionResult> {
  return (await followAny(...followed)) as ReflectionResult;
}

/**
 * Follows a loop in a run of its own, or inside of a user's workflow, as `followRun` does.
 * @returns the result of the run: that of a user's workflow can be anything
 */
export async function followAny(
  client: ReflectionClient,
  { workflowId }: Pick<RunReference, 'workflowId'>,
  listener: Listener,
  signal: AbortSignal,
): Promise<unknown> {
  const result: Promise<unknown> = runsOf(client, 'loop').result(workflowId);
  let last: ReflectionVersion | undefined;
  let lastNews = Date.now();
  const tell = (versions: readonly ReflectionVersion[]): void => {
    for (const version of versions) {
      // Versions that were reported already are not reported again.
      if (version.iteration <= (last?.iteration ?? 0)) continue;
      listener.onVersion(version, last);
      last = version;
      lastNews = Date.now();
    }
  };
  const versionsSince = (iteration: number) => versionsAfter(client, workflowId, iteration);
  const tellNews = async () => tell(await versionsSince(last?.iteration ?? 0));
  const waits = new Waits();
  const followed = {
    workflowId,
    look: () => client.progress(workflowId),
    async tell(progress: Progress) {
      listener.onProgress?.(progress);
      if (progress.scores.length > (last?.iteration ?? 0)) await tellNews();
      const waiting = await waits.news(progress.waitingFor, workflowId, versionsSince);
      if (waiting.length > 0) listener.onWait?.(waiting);
    },
    notice: (text: string) => listener.onNotice(text),
    lastNews: () => lastNews,
  };
  const over = new AbortController();
  const reading = readAlong(client, workflowId, listener, AbortSignal.any([signal, over.signal]));
  try {
    await pollUntilEnd(client, result, followed, signal);
  } finally {
    over.abort();
    await reading;
  }
  try {
    const handedBack = await result;
    if (isLoopResult(handedBack)) tell(handedBack.history.versions);
    else await tellNews();
  } catch (error) {
    // A failed run returns no versions, but while its worker lives it still answers.
    await tellNews();
    throw error;
  }
  return result;
}

/** Reports the text of a run's calls while it is written. If that fails, the run is not affected. */
async function readAlong(
  client: ReflectionClient,
  workflowId: string,
  { onText }: Listener,
  signal: AbortSignal,
): Promise<void> {
  if (!onText) return;
  let call = '';
  let text = '';
  try {
    for await (const event of client.stream(workflowId, { signal })) {
      if (event.type === 'text') {
        text = event.call === call ? text + event.delta : event.delta;
        call = event.call;
        onText(text);
      } else if (event.type === 'reset' || event.type === 'version') {
        text = '';
        onText(text);
      }
    }
  } catch {
    onText('');
  }
}
