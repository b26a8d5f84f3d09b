import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { makeFolder } from '../files/make-folder';

/** Ends the names of files that are still being written. */
export const TEMPORARY = '.tmp';

/** Returns whether an error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Does some work with a file; undefined if it is not there, because another process may be faster. */
export async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a file so that under its name there is either nothing or all of it, whenever the machine stops. The name itself
 * is only safe after `syncFolder` of its folder.
 */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes the names in a folder to the disk, so that they survive a crash. */
export async function syncFolder(path: string): Promise<void> {
  let folder;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    // Windows neither lets folders be opened nor needs it.
    if (process.platform !== 'win32') throw error;
  } finally {
    await folder?.close();
  }
}

/** Makes a file's times safe. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder and those above it so that their names survive a crash. Only the owner may read them. */
export async function makeFolderDurably(path: string): Promise<void> {
  for (const made of await makeFolder(path, 0o700)) await syncFolder(dirname(made));
}
