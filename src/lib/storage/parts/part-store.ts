import { InvalidStorageSettings } from '../errors';
import type { Part } from './part';

/** Keeps parts under their hashes, apart for each namespace. One implementation a kind of storage. */
export interface PartStore {
  /** The name of the store in errors: `folder "outputs"`. Shows no secret. */
  readonly description: string;
  /**
   * Keeps the parts, and notes for those that it had already that they are needed now. When this resolves, they survive
   * a crash of process and machine.
   */
  put(namespace: string, parts: readonly Part[], signal?: AbortSignal): Promise<void>;
  /** Returns the bytes of the parts that are there, unchecked. */
  get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>>;
  /**
   * Notes that parts are needed now.
   *
   * @returns those that are there
   */
  noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>>;
  /** Sweeps as `PartStorageDriver.sweep` does. Never loses a part that is put at the same time. */
  sweep(options: SweepOptions): Promise<SweepResult>;
  /** Ends connections of its own. */
  close(): Promise<void>;
}

export interface SweepOptions {
  /** Parts that nothing has stored for so many milliseconds are deleted. */
  olderThanMs: number;
  /** Default: all namespaces. */
  namespace?: string;
}

export interface SweepResult {
  deletedParts: number;
  freedBytes: number;
}

/** @throws InvalidStorageSettings when `olderThanMs` is not a number of at least 0 */
export function assertSwept({ olderThanMs }: SweepOptions): void {
  if (!(olderThanMs >= 0)) throw new InvalidStorageSettings('olderThanMs must be 0 or more');
}
