import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageFolders, RUNTIME } from '../packages';

const SNAPSHOT = 'python';
const TIMEOUT_MS = 120_000;

/**
 * Loads Python once, and keeps its memory in a file that other processes start from: 0.4 s of processor time in place of 4.
 * No foreign code is near, so this needs no jail. Undefined where it fails: Python then loads the long way.
 * `kept`: a folder where an earlier worker may have left the same file, and where this one leaves it.
 */
export async function makeSnapshot(folder: string, kept?: string): Promise<string | undefined> {
  const file = path.join(folder, SNAPSHOT);
  try {
    const shared = kept === undefined ? undefined : path.join(kept, nameOfKept());
    if (shared !== undefined && existsSync(shared)) {
      copyFileSync(shared, file, constants.COPYFILE_FICLONE);
    } else {
      const program = [path.join(RUNTIME, 'main.cjs'), 'python', '--make-snapshot', file];
      await promisify(execFile)(process.execPath, ['--no-warnings', ...program], { env: {}, timeout: TIMEOUT_MS });
      if (shared !== undefined) keep(file, shared);
    }
    chmodSync(file, 0o644);
    return SNAPSHOT;
  } catch {
    return undefined;
  }
}

/** Returns the name of a snapshot, which is of use to the versions of everything that made it, and to no others. */
function nameOfKept(): string {
  const made = createHash('sha256');
  const pyodide = packageFolders().get('pyodide')!;
  for (const file of [path.join(pyodide, 'package.json'), path.join(RUNTIME, 'python.cjs')])
    made.update(readFileSync(file));
  return `python-node-${process.versions.node}-${process.arch}-${made.digest('hex').slice(0, 16)}`;
}

/** Keeps a snapshot, whole or not at all: another worker may look at the same moment. */
function keep(file: string, shared: string): void {
  const unfinished = `${shared}.${process.pid}`;
  try {
    mkdirSync(path.dirname(shared), { recursive: true });
    copyFileSync(file, unfinished, constants.COPYFILE_FICLONE);
    renameSync(unfinished, shared);
  } catch {
    // The folder is full, or closed to us.
  }
}
