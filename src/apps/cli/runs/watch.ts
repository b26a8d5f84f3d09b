import { Writable } from 'node:stream';
import { ReflectionClient } from '../../../client';
import { runKindOf, runsOf } from '../../../kinds/list/client';
import { RUN_VIEWS } from '../kinds/list/views';
import type { TemporalOverrides } from '../../../lib/config';
import { toError } from '../../../lib/base/message-of';
import { letGoOf } from '../follow/follow-to-end';
import { pollUntilEnd, versionsAfter } from '../follow/poll-run';
import { describeRun, type RunDescription } from '../show/describe-run';
import type { RunsShown } from '../show/inspect-run';
import type { RunView } from '../show/run-view';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { onInterrupt } from '../support/interrupts';
import { failureOf } from '../support/report-error';
import { writeJsonText } from '../terminal/say';
import { assertServesLoop, followFromStart } from './show';

interface WatchOptions extends TemporalOverrides {
  json?: boolean;
}

/** `reflect watch`: follows a run until it ends, as `run` does. Returns the exit code. */
export async function watch(workflowId: string, { json = false, ...options }: WatchOptions): Promise<number> {
  try {
    return await withClient(options, async (client) => {
      const description = await describeRun(client, workflowId);
      return json ? watchInLines(client, description) : followFromStart(client, description, false);
    });
  } catch (error) {
    if (json) writeLine({ error: failureOf(toError(error)) });
    throw error;
  }
}

function writeLine(event: object): void {
  writeJsonText(JSON.stringify(event));
}

const silent = () => new Writable({ write: (_piece, _encoding, done) => done() }) as NodeJS.WriteStream;

async function watchInLines(client: ReflectionClient, description: RunDescription): Promise<number> {
  const { workflowId, runId, type, taskQueue } = description;
  const name = runKindOf(type);
  if (name === undefined && description.running) await assertServesLoop(client, description);
  const isLoop = (name ?? 'loop') === 'loop';
  const { follow }: RunView<unknown> = RUN_VIEWS[name ?? 'loop'];
  const place = new ReflectionClient(client.temporal, taskQueue);
  const runs: RunsShown<unknown, object> = runsOf(place, name ?? 'loop');
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  let written = '';
  let versions = 0;
  let lastNews = Date.now();
  const write = (event: object): void => {
    lastNews = Date.now();
    writeLine(event);
  };
  const tellVersions = async (): Promise<void> => {
    if (!isLoop) return;
    for (const version of await versionsAfter(place, workflowId, versions)) {
      versions = version.iteration;
      write({ version });
    }
  };
  const tell = async (progress: object): Promise<void> => {
    const text = JSON.stringify(progress);
    if (text === written) return;
    written = text;
    await tellVersions();
    write({ progress });
  };
  try {
    const followed = {
      workflowId,
      look: async () => runs.progress?.(workflowId),
      tell,
      notice: (notice: string) => write({ notice }),
      lastNews: () => lastNews,
    };
    await pollUntilEnd<object | undefined>(place, runs.result(workflowId), followed, interrupted.signal);
    await tellVersions();
    const { result, outcome } = await follow(place, { workflowId, runId }, silent(), interrupted.signal);
    write({ result });
    return EXIT[outcome];
  } catch (error) {
    throw interrupted.signal.aborted ? letGoOf(workflowId) : error;
  } finally {
    stopListening();
  }
}
