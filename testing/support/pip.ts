import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../src/apps/server/run-command';

/** A file that a package index has, by its SHA-256: nothing else is used, whatever the index answers. */
export interface PackageFile {
  name: string;
  version: string;
  sha256: string;
}

const GIVE_UP_AFTER_MS = 60 * 60_000;

/** @throws Error with the last words of the program */
export async function ran(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const result = await runCommand(command, args, { env, timeout: GIVE_UP_AFTER_MS });
  if (!result.ok) throw new Error(`${command} ${args.slice(0, 4).join(' ')} …: ${result.problem}`);
}

/** Has a folder for a time. */
export async function inFolder<Result>(parent: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, '.fetch-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads packages from the index that pip is configured with, or from the folders of its `find-links`.
 *
 * @throws Error when pip fails, and when a file is another one than was meant
 */
export async function pipDownload(
  packages: readonly PackageFile[],
  kind: 'wheel' | 'source',
  folder: string,
): Promise<string[]> {
  const list = join(folder, 'requirements.txt');
  const lines = packages.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}`);
  await writeFile(list, `${lines.join('\n')}\n`);
  const only = kind === 'wheel' ? '--only-binary=:all:' : `--no-binary=${packages.map(({ name }) => name).join(',')}`;
  const into = join(folder, 'files');
  const options = ['--quiet', '--no-input', '--no-cache-dir', '--no-deps', '--require-hashes', only];
  await ran('python3', ['-m', 'pip', 'download', ...options, '--dest', into, '-r', list]);
  return (await readdir(into)).map((file) => join(into, file));
}
