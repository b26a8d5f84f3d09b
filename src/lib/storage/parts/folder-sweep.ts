import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isMissing, TEMPORARY } from './durable-file';
import type { SweepResult } from './part-store';

/** Ends the names of files that a sweep has taken out of the way to look at them again. */
export const SET_ASIDE = '.swept';

/** A file that is still being written is not so old. */
const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

interface FolderSweep {
  /** Files with a modification time (ms since 1970) before this are deleted. */
  before: number;
  /** Only the folder of this name in the storage's folder. */
  only?: string;
}

/** Deletes old parts, and the remains of killed processes. */
export async function sweepFolder(folder: string, { before, only }: FolderSweep): Promise<SweepResult> {
  const result: SweepResult = { deletedParts: 0, freedBytes: 0 };
  for (const namespace of only === undefined ? await names(folder) : [only]) {
    for (const shard of await names(join(folder, namespace))) {
      for (const name of await names(join(folder, namespace, shard))) {
        const path = join(folder, namespace, shard, name);
        const freed = await ifPresent(() => sweepFile(path, before));
        if (freed === undefined) continue;
        result.deletedParts++;
        result.freedBytes += freed;
      }
    }
  }
  return result;
}

/** Sweeps a file. Returns the bytes freed; undefined if nothing was, or nothing that counts as a part. */
async function sweepFile(path: string, before: number): Promise<number | undefined> {
  const { mtimeMs } = await stat(path);
  if (path.endsWith(TEMPORARY)) {
    if (mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true });
    return undefined;
  }
  // A sweep was killed between its two looks: this one takes the second.
  if (path.endsWith(SET_ASIDE)) return lookAgain(path, path.slice(0, -SET_ASIDE.length), before);
  if (mtimeMs >= before) return undefined;
  await rename(path, path + SET_ASIDE);
  return lookAgain(path + SET_ASIDE, path, before);
}

/**
 * Looks at a part once more under another name, because it may be stored again between the look at its time and its deletion.
 * Under another name it cannot: who stores it from now on does not find it and writes it anew, and an earlier writer has left a
 * new time.
 */
async function lookAgain(aside: string, path: string, before: number): Promise<number | undefined> {
  const { mtimeMs, size } = await stat(aside);
  if (mtimeMs < before) {
    await rm(aside, { force: true });
    return size;
  }
  await rename(aside, path);
  return undefined;
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // A file that a person put there is not ours to sweep.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Returns undefined for a file that is gone: another sweep may be faster. */
async function ifPresent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
