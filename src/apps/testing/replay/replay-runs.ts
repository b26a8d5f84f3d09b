import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ReflectionPlugin } from '../../../worker';
import { type RunChange, RunsChangedError } from '../errors';
import { endName, endOf, type HistoryFile, type Recording } from './history-file';
import { bundleForReplay, replay, type Replayed } from './replaying';
import { isDeepStrictEqual } from 'node:util';
import { firstCharacters } from '../../../lib/text/summary-text';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function renderShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return firstCharacters(text, 120);
}

/**
 * Describes the first path at which a value lacks or changes something of another one, with both values; undefined if all is
 * there. Objects may have more fields than before, lists may not have more items.
 */
export function firstDifference(before: unknown, now: unknown, path = ''): string | undefined {
  if (isObject(before) && isObject(now)) {
    for (const [key, value] of Object.entries(before)) {
      const difference = firstDifference(value, now[key], `${path}/${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    for (const [index, value] of before.entries()) {
      const difference = firstDifference(value, now[index], `${path}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isDeepStrictEqual(before, now)) return undefined;
  return `${path === '' ? 'the end' : path} was ${renderShort(before)} and is ${renderShort(now)}`;
}

/** Options of `replayRuns`. */
export interface ReplayOptions {
  /** The file with your own workflows, as `Worker.create` takes it; for runs that `reflect()` started inside of them. */
  workflowsPath?: string;
}

/** A recorded run that goes the same way as before. */
export interface ReplayedRun {
  /** The recording's file, without its ending. */
  name: string;
  /** The reason, outcome or type of failure that it ended with, or `continued` for a run that is not the last of its chain. */
  end: string;
}

const OWN = require.resolve('../../../workflows');

function readFolder(folder: string): Recording[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new TypeError(`There are no recorded runs in ${folder}; recordRun writes them.`);
  return files.toSorted().map((file) => ({
    name: basename(file, '.json'),
    history: JSON.parse(readFileSync(join(folder, file), 'utf8')) as HistoryFile,
  }));
}

function changeOf(recording: Recording, { error, diverged, end }: Replayed): RunChange | undefined {
  const { name, history } = recording;
  if (error) return { name, problem: `${diverged ? 'other commands' : 'an error'}: ${error.message.split('\n')[0]}` };
  const recorded = endOf(history);
  const problem = firstDifference(recorded, end);
  return problem === undefined ? undefined : { name, problem };
}

/**
 * Replays the recorded runs of a folder with the workflow code that is installed now. Every decision is made again: what
 * to do next, which version is best, when to stop. Models, actions and evaluators are not called: their recorded answers
 * are used. No server is needed.
 *
 * @returns the runs, sorted by name
 * @throws RunsChangedError if a run would go another way, or end with another result; fields that only the new result has
 *   do not count. TypeError if there are no recordings in the folder
 */
export async function replayRuns(folder: string, { workflowsPath = OWN }: ReplayOptions = {}): Promise<ReplayedRun[]> {
  const recordings = readFolder(folder);
  const plugin = new ReflectionPlugin({ memory: false, dataConverter: {} });
  const bundle = await bundleForReplay(workflowsPath, [plugin]);
  const replayed = await replay(bundle, recordings);
  const changes = replayed.flatMap((each, index) => changeOf(recordings[index]!, each) ?? []);
  if (changes.length > 0) throw new RunsChangedError(changes);
  return recordings.map(({ name, history }) => ({ name, end: endName(endOf(history)) }));
}
