import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import type { HistoryFile, Recording } from '../../src/apps/testing/replay/history-file';
import { RECORDED_IN } from './folders';

function git(project: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trim();
}

/** Returns what the objects of a repository hold, by their ids. One process reads them all. */
function blobs(project: string, ids: readonly string[]): string[] {
  const options = { cwd: project, input: ids.join('\n'), maxBuffer: 256 * 1024 * 1024 };
  const output = execFileSync('git', ['cat-file', '--batch'], options);
  let at = 0;
  return ids.map(() => {
    // A line with the id, the type and the number of bytes stands before each, and an empty one after it.
    const begin = output.indexOf('\n', at) + 1;
    const size = Number(output.toString('utf8', at, begin).split(' ').at(-1));
    at = begin + size + 1;
    return output.toString('utf8', begin, begin + size);
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Positive where the first version is the later one. */
function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return a.map((part, index) => part - b[index]!).find((difference) => difference !== 0) ?? 0;
}

/**
 * The commit that gave a version its date, which is the one that is tagged: a clone may be made without tags. Undefined where the
 * clone does not have it. Paths are those of the repository, of which the project may be a copy in a folder (`npm run test:sdk`).
 */
function datedBy(project: string, version: string): string | undefined {
  if (isShallow(project)) return undefined;
  const dated = `^## \\[${version.replaceAll('.', '\\.')}\\] - [0-9]`;
  return linesOf(git(project, 'log', '--reverse', '--format=%H', '-G', dated, '--', ':/CHANGELOG.md'))[0];
}

interface Release {
  tag: string;
  version: string;
  commit: string;
}

/** The releases that the clone knows of, the latest first. */
function releases(project: string): Release[] {
  const tags = linesOf(git(project, 'tag', '--list', 'v*')).filter(
    (tag) => /^v\d+\.\d+\.\d+$/.test(tag) && compareVersions(tag.slice(1), FIRST) >= 0,
  );
  const versions = new Set([...tags.map((tag) => tag.slice(1)), ...releasedVersions(project)]);
  return [...versions]
    .toSorted((first, second) => compareVersions(second, first))
    .flatMap((version) => {
      const tag = `v${version}`;
      const commit = tags.includes(tag) ? tag : datedBy(project, version);
      return commit === undefined ? [] : [{ tag, version, commit }];
    });
}

/** The folder in which a release had its recordings. */
function folderOf(version: string): string {
  return RECORDED_IN.findLast(({ since }) => compareVersions(version, since) >= 0)!.folder;
}

/** The recordings of a release. */
export interface ReleasedRecordings {
  tag: string;
  recordings: Recording[];
}

/**
 * The recordings of every release as they were then, the latest release first. A recording that a later release has unchanged
 * stands with that one only; `files` counts them all.
 */
export function releasedRecordings(project: string): (ReleasedRecordings & { files: number })[] {
  const seen = new Set<string>();
  return releases(project).map(({ tag, version, commit }) => {
    const listed = linesOf(git(project, 'ls-tree', '-r', '--full-tree', commit, `${folderOf(version)}/`));
    const files = listed.map((line) => line.split(/\s+/)).filter(([, , , file]) => file?.endsWith('.json'));
    const fresh = files.filter(([, , id]) => !seen.has(id!) && seen.add(id!));
    const contents = blobs(
      project,
      fresh.map(([, , id]) => id!),
    );
    const recordings = fresh.map(([, , , file], index) => ({
      name: basename(file!, '.json'),
      history: JSON.parse(contents[index]!) as HistoryFile,
    }));
    return { tag, files: files.length, recordings };
  });
}

/** Returns whether the clone has a part of the history only, and may lack what was released. */
export function isShallow(project: string): boolean {
  return git(project, 'rev-parse', '--is-shallow-repository') === 'true';
}

/** The first release whose runs are still taken over. */
const FIRST = '0.3.0';

/** The versions since then that the committed changelog gives a date, the latest first. A date that is not committed releases nothing. */
export function releasedVersions(project: string): string[] {
  const changelog = git(project, 'show', 'HEAD:CHANGELOG.md');
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)]
    .map(([, version]) => version!)
    .filter((version) => compareVersions(version, FIRST) >= 0);
}
