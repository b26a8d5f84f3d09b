import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownFolderPrefix, removeLeftFolders } from './owner';
import { packageFolders } from './packages';
import { findLibraries, type Tools } from './tools';

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
