import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { tmpdir, hostname } from 'node:os';
import path from 'node:path';
import { packageFolders } from './packages';
import { findLibraries, type Tools } from './tools';
import { createHash } from 'node:crypto';

const PREFIX = 'reflect-sandbox-';

/** `<machine>-<boot>-<pid namespace>-<pid>-<start>-`, and what `mkdtemp` adds. */
const NAME = /^reflect-sandbox-([\da-f]{8})-([\da-f]{8})-(\d+)-(\d+)-(\d+)-\w{6}$/;

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Returns when a process began, in clock ticks since the boot: the number of a process is reused later. */
function startOf(pid: number | string): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is a name, which may hold anything.
  return stat === '' ? undefined : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? undefined);
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function here(): { machine: string; boot: string; namespace: string } {
  return {
    machine: short(hostname()),
    boot: short(read('/proc/sys/kernel/random/boot_id')),
    namespace: pidNamespace(),
  };
}

/** The beginning of the names of this process's folders. It names the owner from the moment at which a folder exists. */
export function ownFolderPrefix(): string {
  const { machine, boot, namespace } = here();
  return [`${PREFIX}${machine}`, boot, namespace, process.pid, startOf(process.pid) ?? '0', ''].join('-');
}

/** Returns whether the process that made a folder is certainly gone. One that cannot be seen from here may still exist. */
function isLeft(name: string): boolean {
  const [, machine, boot, namespace, pid, start] = NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  const now = here();
  if (machine !== now.machine) return false;
  if (boot !== now.boot) return true;
  if (namespace !== now.namespace) return false;
  const running = startOf(pid);
  if (running !== undefined) return running !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Removes the folders of workers that were killed and could not do it themselves: each has 31 MB where Python ran. Only those
 * of this user, and no links.
 */
export function removeLeftFolders(parent: string): void {
  for (const name of namesIn(parent).filter(isLeft)) {
    const folder = path.join(parent, name);
    try {
      if (lstatSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another worker was faster, or the folder cannot be removed. Neither is a reason to run no code.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

export const INSIDE = { node: '/bin/node', setpriv: '/bin/setpriv', prlimit: '/bin/prlimit', home: '/jail' };

/** A folder of this worker: lists of what a jail holds, the snapshots of interpreters, and a place to mount a root on. */
export interface JailFolder {
  root: string;
  lists: string;
  snapshots: string;
  script: string;
  /** The path in which umount finds its libraries once the old root has moved. */
  libraries: string;
}

export function makeWorkerFolder(): string {
  removeLeftFolders(tmpdir());
  const folder = mkdtempSync(path.join(tmpdir(), ownFolderPrefix()));
  // The user that code runs as must come by; there is nothing to see.
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'snapshots'));
  mkdirSync(path.join(folder, 'work'));
  return folder;
}

export function removeWorkerFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export async function prepareJailFolder(folder: string, tools: Tools, runtime: string): Promise<JailFolder> {
  const root = path.join(folder, 'root');
  const snapshots = path.join(folder, 'snapshots');
  mkdirSync(root);
  const files = new Map([
    [INSIDE.node, process.execPath],
    [INSIDE.setpriv, tools.setpriv],
    [INSIDE.prlimit, tools.prlimit],
  ]);
  for (const program of [process.execPath, tools.setpriv, tools.prlimit]) {
    for (const library of await findLibraries(program)) files.set(library, library);
  }
  const folders = new Map([
    [`${INSIDE.home}/runtime`, runtime],
    [`${INSIDE.home}/snapshots`, snapshots],
    ...[...packageFolders()].map(([name, place]) => [`${INSIDE.home}/node_modules/${name}`, place] as const),
  ]);
  const relative = (names: Iterable<string>) => [...new Set(names)].map((name) => `.${name}\n`).join('');
  const mounts = [...files, ...folders].map(
    ([inside, outside]) =>
      `${escapeForFstab(outside)} ${escapeForFstab(root + inside)} none bind,ro,nosuid,nodev 0 0\n`,
  );
  writeFileSync(path.join(folder, 'fstab'), mounts.join(''));
  writeFileSync(path.join(folder, 'files'), relative(files.keys()));
  writeFileSync(path.join(folder, 'folders'), relative([...[...files.keys()].map(path.dirname), ...folders.keys()]));
  const libraryFolders = [...files.keys()].filter((name) => name.includes('.so')).map(path.dirname);
  const places = new Set([...libraryFolders, '/lib', '/lib64', '/usr/lib', '/usr/lib64']);
  return {
    root,
    lists: folder,
    snapshots,
    script: path.join(__dirname, 'jail.sh'),
    libraries: [...places].map((place) => `/old${place}`).join(':'),
  };
}

function escapeForFstab(text: string): string {
  return text.replace(/[\s\\#]/g, (character) => `\\${character.codePointAt(0)!.toString(8).padStart(3, '0')}`);
}
