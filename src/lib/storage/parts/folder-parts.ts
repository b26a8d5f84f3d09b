import { createHash } from 'node:crypto';
import { readFile, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { bulkhead } from 'cockatiel';

import { isMissing, makeFolderDurably, syncFile, syncFolder, writeDurably } from './durable-file';
import { SET_ASIDE, sweepFolder } from './folder-sweep';
import type { Part } from './part';
import type { PartStore, SweepOptions, SweepResult } from './part-store';

/** Open files at the same time, for all calls together: hundreds of runs share the process's limit. */
const OPEN_FILES = 32;

/** A time that a power failure may set back is at most so old. `sweep` documents it. */
const TIME_ACCURACY_MS = 24 * 60 * 60 * 1_000;

/**
 * Parts as files `<namespace>/<first two digits>/<hash>`; a file's modification time says when the part was last needed.
 * Many processes can share a folder.
 */
export class FolderParts implements PartStore {
  readonly description: string;
  readonly #folder: string;
  readonly #limit = bulkhead(OPEN_FILES, Infinity);

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.description = `folder "${folder}"`;
  }

  async put(namespace: string, parts: readonly Part[], signal?: AbortSignal): Promise<void> {
    const paths = parts.map(({ hash, bytes }) => ({ path: this.#path(namespace, hash), bytes }));
    await waitForAll(
      paths.map(({ path, bytes }) =>
        this.#limit.execute(async () => {
          signal?.throwIfAborted();
          if (!(await noteNeed(path, bytes.length))) await write(path, bytes);
        }),
      ),
    );
    // Also for parts that were there: the process that wrote them may not have come so far yet.
    const folders = new Set(paths.map(({ path }) => dirname(path)));
    await waitForAll([...folders].map((folder) => this.#limit.execute(() => syncFolder(folder))));
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await waitForAll(
      hashes.map((hash) =>
        this.#limit.execute(async () => {
          signal?.throwIfAborted();
          const bytes = await read(this.#path(namespace, hash));
          if (bytes) found.set(hash, bytes);
        }),
      ),
    );
    return found;
  }

  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    await waitForAll(
      hashes.map((hash) =>
        this.#limit.execute(async () => {
          const path = this.#path(namespace, hash);
          if (await noteNeed(path)) found.add(hash);
          else if (await restorePart(path)) found.add(hash);
        }),
      ),
    );
    return found;
  }

  async sweep({ olderThanMs, namespace }: SweepOptions): Promise<SweepResult> {
    return sweepFolder(this.#folder, {
      before: Date.now() - olderThanMs,
      ...(namespace === undefined ? {} : { only: basename(folderOf(namespace)) }),
    });
  }

  async close(): Promise<void> {}

  #path(namespace: string, hash: string): string {
    return join(this.#folder, folderOf(namespace), hash.slice(0, 2), hash);
  }
}

/**
 * Returns a folder name for a namespace: a readable part of its name, and a hash, because two namespaces must not meet where file
 * names are short or upper and lower case are the same.
 */
function folderOf(namespace: string): string {
  const readable = namespace.replace(/[^\w-]/g, '_').slice(0, 64);
  return `${readable}.${createHash('sha256').update(namespace).digest('hex').slice(0, 16)}`;
}

/** Sets the time of a part that is there. False: it is not, or not whole, and must be written. */
async function noteNeed(path: string, size?: number): Promise<boolean> {
  try {
    const before = await stat(path);
    if (size !== undefined && before.size !== size) return false;
    const now = new Date();
    // By name, so that a sweep either sees the new time or has already taken the name away.
    await utimes(path, now, now);
    // Making every new time safe would cost as much as writing the part.
    if (now.getTime() - before.mtimeMs > TIME_ACCURACY_MS) await syncFile(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Writes a part anew that a sweep has just set aside, and may delete. False: there is none. */
async function restorePart(path: string): Promise<boolean> {
  const bytes = await read(path);
  if (!bytes) return false;
  await write(path, bytes);
  return true;
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeDurably(path, bytes);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolderDurably(dirname(path));
    await writeDurably(path, bytes);
  }
}

/** Reads a part. While a sweep takes a second look at a part, it has another name, and may come back to the first. */
async function read(path: string): Promise<Uint8Array | undefined> {
  for (const name of [path, path + SET_ASIDE, path]) {
    try {
      return await readFile(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

/** Waits for all, also after one has failed, so that nothing goes on after the call has returned; then throws the first error. */
async function waitForAll(work: Iterable<Promise<void>>): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
