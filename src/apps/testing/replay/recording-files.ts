import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HistoryFile, historyText } from './history-file';

/**
 * Characters of a workflow id that a file name does not keep; `~` precedes the number of a run, and `%` the code of such a
 * character.
 */
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

/**
 * Writes the histories of a run, one file for each run of its chain, and removes those of an earlier recording of it.
 *
 * @returns the paths of the files
 */
export function writeRecording(folder: string, workflowId: string, histories: readonly HistoryFile[]): string[] {
  mkdirSync(folder, { recursive: true });
  const name = recordingName(workflowId);
  const files = histories.map((_, index) => (histories.length === 1 ? `${name}.json` : `${name}~${index + 1}.json`));
  for (const [index, file] of files.entries()) writeFileSync(join(folder, file), historyText(histories[index]!));
  const stale = readdirSync(folder).filter((file) => isOf(name, file) && !files.includes(file));
  for (const file of stale) rmSync(join(folder, file));
  return files.map((file) => join(folder, file));
}
