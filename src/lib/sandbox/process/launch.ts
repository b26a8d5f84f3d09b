import { randomInt } from 'node:crypto';
import path from 'node:path';
import type { StepLanguage } from '../languages';
import { INSIDE, type JailFolder } from '../jail-folder';
import { addressSpace, HEAP_MEBIBYTES, PROCESSES, START_SECONDS } from '../limits';
import { packageFolders } from '../packages';
import { toolPath, type Tools } from '../tools';
import type { SandboxLevel, SandboxLimits } from '../types';
import { systemCallFilter } from './system-call-filter';

export interface Launch {
  command: string;
  arguments: string[];
  env: Record<string, string>;
  /** The working folder. Default: a new one, which is removed afterwards. */
  cwd?: string;
}

export interface LaunchSettings {
  level: SandboxLevel;
  limits: SandboxLimits;
  /** Present at level `namespaces`. */
  jail?: JailFolder & { tools: Tools };
  /** The folder of snapshots, outside of jails. */
  snapshots: string;
  /** The folder of the files that run inside. */
  runtime: string;
  /** Whether Node itself is in the way, too: its permission model, and no code from texts. Tests of the jail do without. */
  hardened: boolean;
}

/** User ids that no system assigns; each process has its own, so that none can touch another. */
const FIRST_USER = 0x7000_0000;
const USERS = 0x0100_0000;

const OPEN_FILES = 64;

/** Returns the command that starts an interpreter. `snapshot` is the name of a file in the folder of snapshots. */
export function launchOf(settings: LaunchSettings, language: StepLanguage, snapshot?: string): Launch {
  if (settings.level === 'namespaces') return inNamespaces(settings, language, snapshot);
  const place = (name: string) => path.join(settings.snapshots, name);
  const program = [
    process.execPath,
    ...nodeFlags(settings, [settings.runtime, settings.snapshots, ...packageFolders().values()]),
    path.join(settings.runtime, 'main.cjs'),
    language,
    ...(snapshot === undefined ? [] : [place(snapshot)]),
  ];
  const limited = settings.level === 'process' ? [...limitsOf(settings.limits, language), ...program] : program;
  const [command, ...rest] = limited;
  return { command: command!, arguments: rest, env: {} };
}

/**
 * Returns Node's flags. A function that is made from a text is how code walks from a value of the host to everything
 * else. The permission model keeps files, processes, threads and native add-ons away from JavaScript that got out of
 * its interpreter; an address space limit needs memory that is not reserved for traps.
 */
function nodeFlags({ level, hardened }: LaunchSettings, readable: string[]): string[] {
  const permission = permissionFlag();
  return [
    '--no-warnings',
    '--v8-pool-size=0',
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    ...(hasTrapFlag() ? ['--disable-wasm-trap-handler'] : []),
    ...(level === 'trusted' || !hardened || permission === undefined
      ? []
      : [
          '--disallow-code-generation-from-strings',
          permission,
          ...readable.map((folder) => `--allow-fs-read=${folder}${path.sep}*`),
        ]),
  ];
}

/** Returns whether Node has the flag against trap handlers: from 20.15 and 22.2. Without it, memory cannot be limited. */
export function hasTrapFlag(): boolean {
  return process.allowedNodeEnvironmentFlags.has('--disable-wasm-trap-handler');
}

export function permissionFlag(): string | undefined {
  return ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag));
}

function limitsOf(limits: SandboxLimits, language: StepLanguage): string[] {
  const prlimit = toolPath('prlimit');
  const setpriv = toolPath('setpriv');
  return [
    ...(prlimit === undefined ? [] : [prlimit, ...resourceLimits(limits, language)]),
    ...(setpriv === undefined ? [] : [setpriv, '--no-new-privs', '--pdeathsig=SIGKILL']),
  ];
}

function resourceLimits(limits: SandboxLimits, language: StepLanguage): string[] {
  return [
    `--as=${addressSpace(language, limits.memoryBytes)}`,
    `--cpu=${START_SECONDS + Math.ceil(limits.timeMs / 1000)}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${OPEN_FILES}`,
    '--core=0',
  ];
}

function inNamespaces(settings: LaunchSettings, language: StepLanguage, snapshot?: string): Launch {
  const { jail, limits } = settings;
  if (!jail) throw new Error('A launch in namespaces needs a jail.');
  const { tools } = jail;
  const namespaces = [
    tools.unshare,
    '--user',
    '--map-root-user',
    // A process that becomes another user, or goes to another user namespace, forgets the process whose death it was to
    // follow.
    tools.setpriv,
    '--pdeathsig=SIGKILL',
    tools.unshare,
    '--mount',
    '--net',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child=SIGKILL',
  ];
  const mounts = [tools.sh, jail.script, 'mounts', jail.root, jail.lists];
  const enter = [...systemCallFilter(), tools.sh, jail.script, 'enter', jail.root, jail.libraries];
  const inside = [
    INSIDE.prlimit,
    ...resourceLimits(limits, language),
    `--nproc=${PROCESSES}`,
    INSIDE.setpriv,
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
    '--pdeathsig=SIGKILL',
    INSIDE.node,
    ...nodeFlags(settings, [INSIDE.home]),
    `${INSIDE.home}/runtime/main.cjs`,
    language,
    ...(snapshot === undefined ? [] : [`${INSIDE.home}/snapshots/${snapshot}`]),
  ];
  const [command, ...rest] =
    process.getuid?.() === 0
      ? [
          tools.setpriv,
          '--pdeathsig=SIGKILL',
          tools.unshare,
          '--mount',
          // What root says for processes of a namespace holds for those inside of it.
          '--pid',
          '--fork',
          '--kill-child=SIGKILL',
          ...mounts,
          ...asNobody(tools),
          ...namespaces,
          ...enter,
          ...inside,
        ]
      : [...namespaces, ...mounts, ...enter, ...inside];
  return { command: command!, arguments: rest, env: { FILE_BYTES: String(limits.fileBytes) }, cwd: '/' };
}

/** Drops root: it has no rights outside of the namespaces even if the kernel has a bug. */
function asNobody(tools: Tools): string[] {
  const id = FIRST_USER + randomInt(USERS);
  return [tools.setpriv, `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}
