/** Counts what the latest feature commits before the folders moved touched. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The last commit before the folders moved: the same commits are counted before and after. */
const LAST_BEFORE_THE_MOVE = '0bab62e5d1089f31cc0b099da51ff630c718c5f6';
const COMMITS = 50;
/** Areas of commits that are no features, even if they touch `src`. */
const NO_FEATURES = ['build', 'changelog', 'docs', 'release', 'test', 'testing', 'verify'];

export interface Commit {
  subject: string;
  files: string[];
}

/** Parses `git log --format=@%s --name-only`. */
export function parseLog(log: string): Commit[] {
  return log
    .split(/^@/m)
    .slice(1)
    .map((entry) => {
      const [subject = '', ...files] = entry.split('\n').filter((line) => line !== '');
      return { subject, files };
    });
}

/** Computes how many files and folders of `src` a commit touches on average. */
export function meanTouched(commits: readonly Commit[]): { commits: number; files: number; folders: number } {
  const features = commits
    .filter(({ subject }) => !NO_FEATURES.includes(subject.split(':')[0]!))
    .map(({ files }) => files.filter((file) => file.startsWith('src/')))
    .filter((files) => files.length > 0)
    .slice(0, COMMITS);
  const mean = (count: (files: string[]) => number) =>
    features.reduce((sum, files) => sum + count(files), 0) / Math.max(features.length, 1);
  return {
    commits: features.length,
    files: mean((files) => new Set(files).size),
    folders: mean((files) => new Set(files.map((file) => path.posix.dirname(file))).size),
  };
}

/** Reads the commits from git; undefined where their history is not at hand. */
export function readCommits(project: string): Commit[] | undefined {
  const { status, stdout } = spawnSync(
    'git',
    ['log', '--no-merges', '--format=@%s', '--name-only', '-n', '400', LAST_BEFORE_THE_MOVE, '--', 'src'],
    { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return status === 0 ? parseLog(stdout) : undefined;
}
