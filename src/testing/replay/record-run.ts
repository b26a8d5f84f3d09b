import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { ReflectionClient, RunTarget } from '../../client';
import { chainOf } from '../../client/chain';
import { partsOf } from '../../client/run-target';
import { NotRecordableError } from '../errors';
import { encodings, endOf, type HistoryFile, historyText } from './history-file';
import { Scrubber } from './scrub';

/** Payloads of other encodings are encrypted, or in a storage: no replay without a key reads them. */
const READABLE = new Set(['json/plain', 'binary/null', 'binary/plain', 'json/protobuf', 'binary/protobuf']);

/** What an id may not bring into the name of a file. */
const NOT_IN_NAMES = /[^\w.-]+/g;

/**
 * Writes the histories of a run that has ended into a folder, for `replayRuns`: `<workflow id>.json`, or one file for
 * each run of its chain. Ids, hosts and the inputs of activities are left out; outputs, prompts and verdicts are not, so
 * look at a recording before you publish it.
 *
 * @returns the paths of the files
 * @throws NotRecordableError if the run has not ended, or its payloads are encrypted or stored outside of its history;
 *   RunNotFoundError
 */
export async function recordRun(client: ReflectionClient, run: RunTarget, folder: string): Promise<string[]> {
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
  mkdirSync(folder, { recursive: true });
  const name = workflowId.replace(NOT_IN_NAMES, '-');
  return histories.map((history, index) => {
    const file = join(folder, histories.length === 1 ? `${name}.json` : `${name}-${index + 1}.json`);
    writeFileSync(file, historyText(history));
    return file;
  });
}
