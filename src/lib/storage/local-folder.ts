import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { bulkhead } from 'cockatiel';
import { InvalidStorageSettings } from './errors';
import { ObjectStorageDriver, type ObjectStorageOptions } from './object-storage-driver';
import type { ListedObject, ObjectStore, StoredObject, SweepOptions } from './object-store';
import { makeFolder } from '../files/make-folder';

const TEMPORARY = '.tmp';

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Does some work with a file; undefined if it is not there, because another process may be faster. */
async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Under the name is nothing or all of it, whenever the machine stops. Safe only after `syncFolder` of its folder. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
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

async function syncFolder(path: string): Promise<void> {
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

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder and those above it so that their names survive a crash. Only the owner may read them. */
async function makeFolderDurably(path: string): Promise<void> {
  for (const made of await makeFolder(path, 0o700)) await syncFolder(dirname(made));
}

/** Open files at the same time, for all calls together: hundreds of runs share the process's limit. */
const OPEN_FILES = 32;

/** A time that a power failure may set back is at most so old. `sweepStore` documents it. */
const TIME_ACCURACY_MS = 24 * 60 * 60 * 1_000;

const SET_ASIDE = '.swept';

const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

interface LocalFolderOptions extends ObjectStorageOptions {
  /** Made if it is not there. Relative to the working directory. All workers and clients must see the same folder. */
  folder: string;
}

/**
 * Keeps large payloads in a folder: for one machine, or for several that share a disk. Nothing to set up. Throws
 * InvalidStorageSettings.
 */
export function localFolderStorage({ folder, ...options }: LocalFolderOptions): ObjectStorageDriver {
  if (folder === '') throw new InvalidStorageSettings('The folder of a folder storage must have a name');
  return new ObjectStorageDriver('durable-reflection.folder', 'reflect-folder', new FolderStore(folder), options);
}

/** Files `<namespace>/<first two digits>/<hash>`, modified when they were last needed. Processes can share a folder. */
class FolderStore implements ObjectStore {
  readonly description: string;
  readonly #folder: string;
  readonly #limit = bulkhead(OPEN_FILES, Infinity);

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.description = `folder "${folder}"`;
  }

  async put(namespace: string, objects: readonly StoredObject[], signal?: AbortSignal): Promise<void> {
    const folders = new Set<string>();
    await this.#runEach(objects, signal, async ({ hash, bytes }) => {
      const path = this.#path(namespace, hash);
      folders.add(dirname(path));
      if (!(await noteNeed(path, bytes.length))) await write(path, bytes);
    });
    // Also for objects that were there: the process that wrote them may not have come so far yet.
    await this.#runEach([...folders], undefined, syncFolder);
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await this.#runEach(hashes, signal, async (hash) => {
      const bytes = await read(this.#path(namespace, hash));
      if (bytes) found.set(hash, bytes);
    });
    return found;
  }

  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    await this.#runEach(hashes, undefined, async (hash) => {
      const path = this.#path(namespace, hash);
      if ((await noteNeed(path)) || (await restoreObject(path))) found.add(hash);
    });
    return found;
  }

  async *list({ olderThanMs, namespace }: SweepOptions): AsyncIterableIterator<ListedObject[], void> {
    const only = namespace === undefined ? await names(this.#folder) : [basename(folderOf(namespace))];
    for (const ofNamespace of only) {
      for (const shard of await names(join(this.#folder, ofNamespace))) {
        const page: ListedObject[] = [];
        for (const name of await names(join(this.#folder, ofNamespace, shard))) {
          const key = join(ofNamespace, shard, name);
          const found = await unlessMissing(() => stat(join(this.#folder, key)));
          const age = name.endsWith(TEMPORARY) ? ABANDONED_AFTER_MS : olderThanMs;
          // One set aside is always listed: a sweep was killed between its two looks, and this one takes the second.
          const isListed = found && (found.mtimeMs < Date.now() - age || name.endsWith(SET_ASIDE));
          if (isListed) page.push({ key, bytes: found.size });
        }
        yield page;
      }
    }
  }

  async delete(objects: readonly ListedObject[], olderThanMs: number): Promise<ListedObject[]> {
    const deleted: ListedObject[] = [];
    for (const object of objects) {
      const path = join(this.#folder, object.key);
      if (path.endsWith(TEMPORARY)) await rm(path, { force: true });
      else if (await unlessMissing(() => deleteAtSecondLook(path, Date.now() - olderThanMs))) deleted.push(object);
    }
    return deleted;
  }

  async close(): Promise<void> {}

  /** Does some work for all, also after one has failed, so that nothing goes on after the call; then throws the first error. */
  async #runEach<T>(
    items: readonly T[],
    signal: AbortSignal | undefined,
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    const outcomes = await Promise.allSettled(
      items.map((item) =>
        this.#limit.execute(async () => {
          signal?.throwIfAborted();
          await work(item);
        }),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #path(namespace: string, hash: string): string {
    return join(this.#folder, folderOf(namespace), hash.slice(0, 2), hash);
  }
}

/** A readable part and a hash: two namespaces must not meet where names are short or have no upper case. */
function folderOf(namespace: string): string {
  const readable = namespace.replace(/[^\w-]/g, '_').slice(0, 64);
  return `${readable}.${createHash('sha256').update(namespace).digest('hex').slice(0, 16)}`;
}

/** Sets the time of an object that is there. False: it is not, or not whole, and must be written. */
async function noteNeed(path: string, size?: number): Promise<boolean> {
  try {
    const before = await stat(path);
    if (size !== undefined && before.size !== size) return false;
    const now = new Date();
    // By name, so that a sweep either sees the new time or has already taken the name away.
    await utimes(path, now, now);
    // Making every new time safe would cost as much as writing the object.
    if (now.getTime() - before.mtimeMs > TIME_ACCURACY_MS) await syncFile(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Writes an object anew that a sweep has just set aside, and may delete. False: there is none. */
async function restoreObject(path: string): Promise<boolean> {
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

/** Reads an object. While a sweep takes a second look at it, it has another name, and may come back to the first. */
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

/**
 * Deletes an object that is still old at a second look under another name. It may be stored again between the look at its time
 * and its deletion; under another name it cannot: who stores it from now on does not find it and writes it anew, and an earlier
 * writer has left a new time.
 * @returns whether it was deleted
 */
async function deleteAtSecondLook(path: string, before: number): Promise<boolean> {
  const name = path.endsWith(SET_ASIDE) ? path.slice(0, -SET_ASIDE.length) : path;
  const aside = name + SET_ASIDE;
  if (path === name) await rename(name, aside);
  const isOld = (await stat(aside)).mtimeMs < before;
  await (isOld ? rm(aside, { force: true }) : rename(aside, name));
  return isOld;
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
