import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { HistoryFile } from '../../src/testing/replay/history-file';
import type { Recording } from '../../src/testing/replay/history-file';

const HISTORIES = 'test/replay/histories';

function git(project: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trim();
}

/** The recordings of the latest release, as its tag has them; undefined where no tag of a release is known. */
export function latestRelease(project: string): { tag: string; recordings: Recording[] } | undefined {
  const tags = git(project, 'tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const tag = tags.find((each) => /^v\d+\.\d+\.\d+$/.test(each));
  if (tag === undefined) return undefined;
  const files = git(project, 'ls-tree', '-r', '--full-tree', '--name-only', tag, HISTORIES).split('\n');
  const recordings = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: basename(file, '.json'),
      history: JSON.parse(git(project, 'show', `${tag}:${file}`)) as HistoryFile,
    }));
  return { tag, recordings };
}

/** Whether the clone may lack tags that there are: one of a single commit gets none. */
export function isShallow(project: string): boolean {
  return git(project, 'rev-parse', '--is-shallow-repository') === 'true';
}

/** The versions that the changelog gives a date, the latest first. */
export function releasedVersions(project: string): string[] {
  const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version]) => version!);
}
