import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { ReflectionClient, RunTarget } from '../../../client';
import { chainOf } from '../../../calls/chain';
import { partsOf } from '../../../calls/run-target';
import { sdkVersion } from '../../../worker/sdk/sdk-copies';
import { lacks } from '../../../worker/sdk/sdk-gaps';
import { NotRecordableError } from '../errors';
import { encodings, endOf, type HistoryFile, historyText } from './history-file';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';

/** Says which machine and which build made the recording; replay needs none of it. */
const LEFT_OUT = new Set(['stackTrace', 'workerVersion', 'binaryChecksum', 'meteringMetadata']);

/** Replay does not compare what activities are given, and it is most of a recording. */
const LEFT_OUT_OF_ACTIVITIES = ['input', 'header'];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const LOCAL_SERVER = /127\.0\.0\.1:\d+/g;

/** Gives ids that are random the same names in every recording, so that recordings can be compared. */
export class Scrubber {
  readonly #ids = new Map<string, string>();

  #id(id: string): string {
    const known = this.#ids.get(id);
    if (known) return known;
    const name = `00000000-0000-4000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
    this.#ids.set(id, name);
    return name;
  }

  #value(key: string, value: Json): Json {
    if (key === 'identity') return 'recorder';
    if (typeof value === 'string') {
      // Payloads are base64 and keep what is in them.
      return key === 'data' ? value : value.replace(UUID, (id) => this.#id(id)).replace(LOCAL_SERVER, 'model.test');
    }
    if (Array.isArray(value)) return value.map((each) => this.#value('', each));
    if (!isJsonObject(value)) return value;
    // Its name holds the worker's process and host.
    if (value['kind'] === 'TASK_QUEUE_KIND_STICKY') return { ...value, name: 'sticky' };
    return this.#object(value, key === 'activityTaskScheduledEventAttributes' ? LEFT_OUT_OF_ACTIVITIES : []);
  }

  #object(value: JsonObject, leftOut: readonly string[] = []): JsonObject {
    const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key) && !leftOut.includes(key));
    return Object.fromEntries(kept.map(([key, each]) => [key, this.#value(key, each)]));
  }

  /** Removes from a history what says where it was recorded. Give the runs of a chain to one scrubber. */
  scrub(history: HistoryFile): HistoryFile {
    return { events: history.events.map((event) => this.#object(event)) };
  }
}

/** Characters that a file name does not keep; `~` precedes the number of a run, `%` a character's code. */
const NOT_IN_NAMES = /[^\w.-]/gu;

/** File systems take names of 255 bytes. */
const LONGEST = 200;

/** Returns a name that differs for different workflow ids, and is never a path. */
export function recordingName(workflowId: string): string {
  const bytes = (character: string): string => Buffer.from(character).toString('hex').replace(/../g, '%$&');
  const name = workflowId.replace(NOT_IN_NAMES, bytes);
  if (name.length <= LONGEST) return name;
  const hash = createHash('sha256').update(workflowId).digest('hex').slice(0, 16);
  return `${name.slice(0, LONGEST - hash.length - 1)}~${hash}`;
}

function isOf(name: string, file: string): boolean {
  return file === `${name}.json` || (file.startsWith(`${name}~`) && /^\d+\.json$/.test(file.slice(name.length + 1)));
}

/** Writes one file for each run of a chain instead of earlier ones, and returns their paths. */
export function writeRecording(folder: string, workflowId: string, histories: readonly HistoryFile[]): string[] {
  mkdirSync(folder, { recursive: true });
  const name = recordingName(workflowId);
  const files = histories.map((_, index) => (histories.length === 1 ? `${name}.json` : `${name}~${index + 1}.json`));
  for (const [index, file] of files.entries()) writeFileSync(join(folder, file), historyText(histories[index]!));
  const stale = readdirSync(folder).filter((file) => isOf(name, file) && !files.includes(file));
  for (const file of stale) rmSync(join(folder, file));
  return files.map((file) => join(folder, file));
}

/** Payloads of other encodings are encrypted, or in a storage: no replay without a key reads them. */
const READABLE = new Set(['json/plain', 'binary/null', 'binary/plain', 'json/protobuf', 'binary/protobuf']);

/**
 * Writes the histories of a run that has ended into a folder, for `replayRuns`: `<workflow id>.json`, or
 * `<workflow id>~1.json` and so on, one file for each run of its chain. Characters other than letters, digits, `_`, `.` and `-`
 * are written as in a URL. An earlier recording of the same id is replaced. Ids, hosts and the inputs of activities are left out;
 * outputs, prompts and verdicts are not, so look at a recording before you publish it.
 *
 * @throws NotRecordableError if the run has not ended, if its payloads are encrypted or stored outside of its history, and
 *   with SDK 1.22; RunNotFoundError
 * @returns the paths of the files
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
