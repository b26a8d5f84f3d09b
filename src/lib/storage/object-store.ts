import { InvalidStorageSettings } from './errors';

/** Bytes under their SHA-256, in hex. */
export interface StoredObject {
  hash: string;
  bytes: Uint8Array;
}

export interface ListedObject {
  key: string;
  bytes: number;
}

export interface SweepOptions {
  /** Objects that nothing has stored for so many milliseconds are deleted. */
  olderThanMs: number;
  /** Default: all namespaces. */
  namespace?: string;
}

export interface SweepResult {
  deleted: number;
  freedBytes: number;
}

/** Keeps objects under their hashes, apart for each namespace. One implementation a kind of storage. */
export interface ObjectStore {
  /** The name of the store in errors: `folder "outputs"`. Shows no secret. */
  readonly description: string;
  /**
   * Keeps the objects, and notes for those that it had already that they are needed now. When this resolves, they survive
   * a crash of process and machine.
   */
  put(namespace: string, objects: readonly StoredObject[], signal?: AbortSignal): Promise<void>;
  /** Reads the objects that are there, unchecked, by their hashes. */
  get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>>;
  noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>>;
  /** Lists objects that nothing has stored for so long, page by page. */
  list(options: SweepOptions): AsyncIterable<ListedObject[]>;
  /** Deletes listed objects, but none that was stored again since. Loses no object that is put at the same time. */
  delete(objects: readonly ListedObject[], olderThanMs: number): Promise<ListedObject[]>;
  /** Ends connections of its own. */
  close(): Promise<void>;
}

/**
 * Deletes what nothing has stored for `olderThanMs` milliseconds. Storing is the only sign of need: take more than the
 * namespace's retention time plus the longest run (a chain of continue-as-new counts as one for each of its runs), plus a day,
 * because after a power failure a time can be as much too early. Can run while workers work, and twice at once. Throws
 * InvalidStorageSettings when `olderThanMs` is not a number of at least 0.
 */
export async function sweepStore(store: ObjectStore, options: SweepOptions): Promise<SweepResult> {
  if (!(options.olderThanMs >= 0)) throw new InvalidStorageSettings('olderThanMs must be 0 or more');
  const result: SweepResult = { deleted: 0, freedBytes: 0 };
  for await (const page of store.list(options)) {
    for (const { bytes } of await store.delete(page, options.olderThanMs)) {
      result.deleted += 1;
      result.freedBytes += bytes;
    }
  }
  return result;
}
