import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userCacheDirectory } from '../../lib/user-cache';

const TEMPORARY = '.fetch-';
const ABANDONED_AFTER = 60 * 60_000;

export function cachedCliPath(cacheDirectory: string, version: string): string {
  return join(cacheDirectory, 'temporal-cli', version, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
}

/** The user's cache, so that 150 MB are fetched once; `.reflect/cache` of a folder that has it. */
export function defaultCacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const ofProject = join(process.cwd(), '.reflect', 'cache');
  return existsSync(ofProject) ? ofProject : userCacheDirectory(env);
}

/**
 * Gives `fetch` a private folder beside the target and moves the binary it names into place with one rename, so that
 * two fetchers cannot see or break each other's half-written file. The folder is gone afterwards.
 */
export async function fetchIntoCache<Result extends { binary?: string }>(
  target: string,
  fetch: (directory: string) => Promise<Result>,
): Promise<Result> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const directory = await mkdtemp(join(parent, TEMPORARY));
  try {
    const result = await fetch(directory);
    if (result.binary !== undefined) await install(result.binary, target);
    return result;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function install(binary: string, target: string): Promise<void> {
  await chmod(binary, 0o755);
  try {
    await rename(binary, target);
  } catch (error) {
    // Windows does not replace a program that runs. Another process installed it meanwhile: that one will do.
    if (!(await stat(target).catch(() => undefined))) throw error;
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const path = join(parent, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER) await rm(path, { recursive: true, force: true });
  }
}
