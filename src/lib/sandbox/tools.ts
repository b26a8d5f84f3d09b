import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const PROGRAMS = ['unshare', 'setpriv', 'prlimit', 'mount', 'umount', 'pivot_root', 'sh'] as const;

/** Programs of util-linux that build a jail, by name. */
export type Tools = Record<(typeof PROGRAMS)[number], string>;

/** Returns the path of a program of the system; PATH is not searched, because it may name programs of other users. */
export function toolPath(name: string): string | undefined {
  return FOLDERS.map((folder) => path.join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function findTools(): Tools | { missing: string[] } {
  const found = PROGRAMS.map((name) => [name, toolPath(name)] as const);
  const missing = found.filter(([, file]) => file === undefined).map(([name]) => name);
  return missing.length > 0 ? { missing } : (Object.fromEntries(found) as Tools);
}

/** Lists the shared libraries of a program with the loader; empty if it was linked statically. */
export async function findLibraries(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { env: { LD_TRACE_LOADED_OBJECTS: '1' } });
  return [...stdout.matchAll(/(?:^|\s)(\/\S+\.so\S*)/g)].map((match) => match[1]!);
}
