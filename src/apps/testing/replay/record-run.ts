import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { ReflectionClient, RunTarget } from '../../../client';
import { chainOf } from '../../../client/calls/chain';
import { partsOf } from '../../../client/calls/run-target';
import { sdkVersion } from '../../../worker/sdk/sdk-copies';
import { lacks } from '../../../worker/sdk/sdk-gaps';
import { NotRecordableError } from '../errors';
import { encodings, endOf, type HistoryFile } from './history-file';
import { writeRecording } from './recording-files';
import { Scrubber } from './scrub';

/** Payloads of other encodings are encrypted, or in a storage: no replay without a key reads them. */
const READABLE = new Set(['json/plain', 'binary/null', 'binary/plain', 'json/protobuf', 'binary/protobuf']);

/**
 * Writes the histories of a run that has ended into a folder, for `replayRuns`: `<workflow id>.json`, or
 * `<workflow id>~1.json` and so on, one file for each run of its chain. Characters other than letters, digits, `_`, `.` and `-`
 * are written as in a URL. An earlier recording of the same id is replaced. Ids, hosts and the inputs of activities are left out;
 * outputs, prompts and verdicts are not, so look at a recording before you publish it.
 *
 * @returns the paths of the files
 * @throws NotRecordableError if the run has not ended, if its payloads are encrypted or stored outside of its history, and
 *   with SDK 1.22; RunNotFoundError
 */
export async function recordRun(client: ReflectionClient, run: RunTarget, folder: string): Promise<string[]> {
  if (lacks('recordings')) {
    throw new NotRecordableError(
      `Runs cannot be recorded with SDK ${sdkVersion()}: that needs 1.23 or later, or the temporal command ` +
        '(`temporal workflow show --output json`), whose file replays as well.',
    );
  }
  const { workflowId } = partsOf(run);
  const chain = await chainOf(client, { method: 'history', run }, {});
  const scrubber = new Scrubber();
  const histories: HistoryFile[] = [];
  for (const runId of chain) {
    const history = await client.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push(scrubber.scrub(JSON.parse(historyToJSON(history)) as HistoryFile));
  }
  const last = histories.at(-1)!;
  if (!endOf(last))
    throw new NotRecordableError(`The run ${workflowId} has not ended by itself, so it cannot be recorded.`);
  const unreadable = histories.flatMap(encodings).find((encoding) => !READABLE.has(encoding));
  if (unreadable !== undefined) {
    throw new NotRecordableError(
      `The run ${workflowId} cannot be recorded: its payloads are ${unreadable}. Record a run without encryption and storage.`,
    );
  }
  return writeRecording(folder, workflowId, histories);
}
