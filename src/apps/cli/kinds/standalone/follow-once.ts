import pc from 'picocolors';
import type { ReflectionClient, RunReference } from '../../../../client';
import { StatusLine } from '../../terminal/status-line';
import { pollUntilEnd } from '../../follow/poll-run';

/** Follows one evaluation or correction. Stops asking, and rejects, when `signal` aborts; the run goes on. */
export async function followOnce<Result>(
  client: ReflectionClient,
  { workflowId }: Pick<RunReference, 'workflowId'>,
  { result, doing }: { result: Promise<Result>; doing: string },
  news: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<Result> {
  const line = new StatusLine(news);
  line.show(doing, undefined);
  let lastNews = Date.now();
  const followed = {
    workflowId,
    look: () => Promise.resolve(undefined),
    tell: () => Promise.resolve(),
    notice(text: string) {
      lastNews = Date.now();
      line.write([pc.yellow(text)]);
    },
    lastNews: () => lastNews,
  };
  try {
    await pollUntilEnd(client, result, followed, signal);
    return await result;
  } finally {
    line.close();
  }
}
