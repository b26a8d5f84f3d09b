import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../files/make-folder';
import { MemoryInUseError } from './errors';

const PAUSE_MS = 50;

/** Locks that this process holds: its own number in a file says nothing after a restart, when numbers begin anew. */
const held = new Set<string>();

/** Returns whether the process that a lock names has gone. */
function isLeft(file: string, owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  // One that was just made and not yet written.
  if (!Number.isSafeInteger(pid)) return false;
  if (pid === process.pid) return !held.has(file);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Moves a lock away that no process holds any more. The moved lock is looked at again: another process may have been faster. */
async function clear(file: string, owner: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) === owner) await rm(aside);
    else await rename(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Waits until a folder is this process's alone, for two processes would destroy the database that is in it. A process that
 * died holds nothing.
 *
 * @returns what gives it free again
 * @throws MemoryInUseError after `waitMs` milliseconds
 */
export async function lockFolder(folder: string, waitMs: number): Promise<() => Promise<void>> {
  const file = `${folder}.lock`;
  await makeFolder(dirname(folder));
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const mark = `${process.pid} ${randomUUID()}`;
      await writeFile(file, mark, { flag: 'wx' });
      held.add(file);
      return async () => {
        held.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (isLeft(file, owner)) await clear(file, owner);
    else if (performance.now() > deadline) throw new MemoryInUseError(folder, owner.split(' ')[0] ?? '');
    else await sleep(PAUSE_MS);
  }
}
