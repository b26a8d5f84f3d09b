import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import type { HistoryFile, Recording } from '../../src/testing/replay/history-file';

const HISTORIES = 'test/replay/histories';

function git(project: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trim();
}

/**
 * The latest release and where it is in the history; undefined where none is known. Paths are those of the repository, of which
 * the project may be a copy in a folder (`npm run test:sdk`).
 */
function releasePoint(project: string): { tag: string; commit: string } | undefined {
  const tags = git(project, 'tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const tag = tags.find((each) => /^v\d+\.\d+\.\d+$/.test(each));
  if (tag !== undefined) return { tag, commit: tag };
  const [version] = releasedVersions(project);
  if (version === undefined || isShallow(project)) return undefined;
  // A clone may be made without tags. The commit that gave the version its date is the one that is tagged.
  const dated = `^## \\[${version}\\] - [0-9]`;
  const [commit] = git(project, 'log', '--reverse', '--format=%H', '-G', dated, '--', ':/CHANGELOG.md').split('\n');
  return commit ? { tag: `v${version}`, commit } : undefined;
}

/** The recordings of the latest release, as they were then; undefined where none is known. */
export function latestRelease(project: string): { tag: string; recordings: Recording[] } | undefined {
  const release = releasePoint(project);
  if (release === undefined) return undefined;
  const { tag, commit } = release;
  const files = git(project, 'ls-tree', '-r', '--full-tree', '--name-only', commit, HISTORIES).split('\n');
  const recordings = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: basename(file, '.json'),
      history: JSON.parse(git(project, 'show', `${commit}:${file}`)) as HistoryFile,
    }));
  return { tag, recordings };
}

/** Whether the clone has a part of the history only, and may lack what was released. */
export function isShallow(project: string): boolean {
  return git(project, 'rev-parse', '--is-shallow-repository') === 'true';
}

/** The versions that the committed changelog gives a date, the latest first. A date that is not committed releases nothing. */
export function releasedVersions(project: string): string[] {
  const changelog = git(project, 'show', 'HEAD:CHANGELOG.md');
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version]) => version!);
}
