import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ReflectionPlugin } from '../../../worker';
import { type RunChange, RunsChangedError } from '../errors';
import { firstDifference } from './differences';
import { endName, endOf, type HistoryFile, type Recording } from './history-file';
import { bundleForReplay, replay, type Replayed } from './replaying';

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

/**
 * Reads the recordings of a folder, sorted by name.
 *
 * @throws TypeError if there is none
 */
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
