import { createHash } from 'node:crypto';
import type { DataConverter } from '@temporalio/common';
import type { Json } from '../json/json';
import { type AddressedPayloads, addressedPayloadsOf } from './attachments';

/** Addresses that a process remembers. */
const MOST_KNOWN = 10_000;

/**
 * JSON values in the storage of large payloads. A value is kept once a namespace: plain ones by their hash, and encrypted ones, of
 * which no two are the same bytes, as long as the process that stored them remembers where.
 */
export class ValueStorage {
  /** Addresses by the hash of a value. */
  readonly #known = new Map<string, string>();

  constructor(private readonly payloads: AddressedPayloads) {}

  /**
   * Stores values, or notes that they are needed still. When it resolves, they survive a crash.
   *
   * @returns the address of each
   * @throws what the storage throws
   */
  async put(values: readonly Json[], abortSignal?: AbortSignal): Promise<string[]> {
    const { namespace } = this.payloads;
    const texts = values.map((value) => Buffer.from(JSON.stringify(value)));
    const hashes = texts.map((text) => createHash('sha256').update(`${namespace}\n`).update(text).digest('hex'));
    const known = hashes.flatMap((hash) => this.#known.get(hash) ?? []);
    const present = known.length > 0 ? await this.payloads.findPresent(known) : new Set<string>();
    const addresses = new Map<string, string>();
    const fresh = new Map<string, Uint8Array>();
    for (const [index, hash] of hashes.entries()) {
      const address = this.#known.get(hash);
      if (address !== undefined && present.has(address)) addresses.set(hash, address);
      else fresh.set(hash, texts[index]!);
    }
    if (fresh.size > 0) {
      const stored = await this.payloads.put('json/plain', [...fresh.values()], abortSignal);
      for (const [index, hash] of [...fresh.keys()].entries()) {
        addresses.set(hash, stored[index]!);
        this.#remember(hash, stored[index]!);
      }
    }
    return hashes.map((hash) => addresses.get(hash)!);
  }

  #remember(hash: string, address: string): void {
    this.#known.set(hash, address);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  /**
   * Reads values by their addresses.
   *
   * @throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid
   */
  async load(addresses: readonly string[]): Promise<Json[]> {
    if (addresses.length === 0) return [];
    return (await this.payloads.load(addresses)).map((data) => JSON.parse(Buffer.from(data).toString()) as Json);
  }
}

/** @param namespace whose values they are, once they are read */
export function valueStorageOf(
  converter: DataConverter | undefined,
  namespace: () => string,
): ValueStorage | undefined {
  const payloads = addressedPayloadsOf(converter, namespace);
  return payloads && new ValueStorage(payloads);
}
