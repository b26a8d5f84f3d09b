import path from 'node:path';
import { omitUndefined } from '../base/defined';
import { Interpreter } from './process/interpreter';
import { makeWorkerFolder, prepareJailFolder, removeWorkerFolder } from './jail-folder';
import { hasTrapFlag, type LaunchSettings, launchOf, permissionFlag } from './process/launch';
import { DEFAULT_LIMITS } from './limits';
import { fastestLanguage, RUNTIME } from './packages';
import { whyUnfiltered } from './process/system-call-filter';
import { findTools, toolPath } from './tools';
import { SANDBOX_LEVELS, type SandboxLevel, type SandboxLimits } from './types';
import { spawnSync } from 'node:child_process';

/** In most containers code sees the container's name: their runtimes deny `sethostname` in new namespaces, too. */
function whyHostNameSeen(unshare: string): string | undefined {
  const hostname = toolPath('hostname');
  if (hostname === undefined) return 'the program hostname is missing';
  const command = ['--user', '--map-root-user', '--uts', hostname, 'jail'];
  const { status } = spawnSync(unshare, command, { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? undefined : 'the system denies changing it';
}

/** Whether a machine supports a level, and if not, why. */
export interface LevelCheck {
  level: SandboxLevel;
  granted: boolean;
  why?: string;
  /** The reason why system calls are not filtered, at level `namespaces` on a machine that has no filter. */
  unfiltered?: string;
  /**
   * The reason why code sees the machine's host name, at level `namespaces` if it cannot be hidden. In a container,
   * that is the container's.
   */
  hostNameSeen?: string;
}

/** Returns the level that a worker demands by default: `namespaces` on Linux, otherwise `process`. */
export function defaultLevel(): SandboxLevel {
  return process.platform === 'linux' ? 'namespaces' : 'process';
}

/** Parses a level from a text such as an environment variable. Throws TypeError for anything else. */
export function sandboxLevel(text: string): SandboxLevel {
  const level = SANDBOX_LEVELS.find((each) => each === text);
  if (level) return level;
  throw new TypeError(`"${text}" is no sandbox level. Levels are ${SANDBOX_LEVELS.join(', ')}.`);
}

/** Returns the settings to launch a level; throws with the reason if the machine lacks something for it. */
export async function launchSettings(
  level: SandboxLevel,
  limits: SandboxLimits,
  folder: string,
  runtime = RUNTIME,
): Promise<LaunchSettings> {
  const common = { level, limits, snapshots: path.join(folder, 'snapshots'), runtime, hardened: true };
  if (level === 'trusted') return common;
  if (process.platform === 'linux' && !hasTrapFlag()) {
    throw new Error(`Node ${process.versions.node} cannot limit memory: 20.15 or later is needed`);
  }
  if (level === 'process') {
    if (permissionFlag() === undefined) throw new Error(`Node ${process.versions.node} has no permission model`);
    if (process.platform === 'linux' && toolPath('prlimit') === undefined)
      throw new Error('prlimit is missing (util-linux)');
    return common;
  }
  if (process.platform !== 'linux') throw new Error(`namespaces are a thing of Linux, and this is ${process.platform}`);
  const tools = findTools();
  if ('missing' in tools) throw new Error(`missing programs of util-linux: ${(tools.missing as string[]).join(', ')}`);
  return { ...common, jail: { ...(await prepareJailFolder(folder, tools, runtime)), tools } };
}

export async function checkLevel(level: SandboxLevel): Promise<LevelCheck> {
  const language = fastestLanguage();
  if (language === undefined) return { level, granted: false, why: 'no interpreter is installed' };
  const folder = makeWorkerFolder();
  try {
    const settings = await launchSettings(level, DEFAULT_LIMITS, folder);
    const interpreter = new Interpreter(launchOf(settings, language), path.join(folder, 'work'));
    try {
      await interpreter.ready;
    } finally {
      await interpreter.end();
    }
    return {
      level,
      granted: true,
      ...omitUndefined({
        unfiltered: settings.jail && whyUnfiltered(settings.jail.tools.setpriv),
        hostNameSeen: settings.jail && whyHostNameSeen(settings.jail.tools.unshare),
      }),
    };
  } catch (error) {
    return { level, granted: false, why: (error as Error).message };
  } finally {
    removeWorkerFolder(folder);
  }
}

/** Checks every level, from the strongest. */
export async function checkLevels(): Promise<LevelCheck[]> {
  const checks: LevelCheck[] = [];
  for (const level of SANDBOX_LEVELS) checks.push(await checkLevel(level));
  return checks;
}
