import { createHash } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec, StorageDriverClaim } from '@temporalio/common';
import { METADATA_ENCODING_KEY } from '@temporalio/common';
import type { Json } from '../json/json';
import { partDriverOf } from './attachments';
import { readClaim, writeClaim } from './parts/claim';
import type { PartStorageDriver } from './parts/part-storage-driver';

const JSON_ENCODING = Buffer.from('json/plain');
/** Addresses that a process remembers. */
const MOST_KNOWN = 10_000;

/**
 * JSON values in the storage of large payloads, encrypted as payloads are. A value is kept once a namespace: plain ones by their
 * hash, and encrypted ones, of which no two are the same bytes, as long as the process that stored them remembers where.
 */
export class ValueStorage {
  /** Addresses by the hash of a value. */
  readonly #known = new Map<string, string>();

  constructor(
    private readonly driver: PartStorageDriver,
    private readonly codecs: readonly PayloadCodec[],
    private readonly namespaceOf: () => string,
  ) {}

  #claimOf(address: string): StorageDriverClaim {
    const [root = '', bytes = ''] = address.split(':');
    // An address names no namespace, so it leads into that of its reader only.
    return writeClaim({ namespace: this.namespaceOf(), root, bytes: Number(bytes) });
  }

  /**
   * Stores values, or notes that they are needed still. When it resolves, they survive a crash.
   *
   * @returns the address of each
   * @throws what the storage throws
   */
  async put(values: readonly Json[], abortSignal?: AbortSignal): Promise<string[]> {
    const namespace = this.namespaceOf();
    const texts = values.map((value) => Buffer.from(JSON.stringify(value)));
    const hashes = texts.map((text) => createHash('sha256').update(`${namespace}\n`).update(text).digest('hex'));
    const known = hashes.flatMap((hash) => this.#known.get(hash) ?? []);
    const present = known.length > 0 ? await this.#present(namespace, known) : new Set<string>();
    const addresses = new Map(
      hashes.flatMap((hash) => {
        const address = this.#known.get(hash);
        return address !== undefined && present.has(address) ? [[hash, address] as const] : [];
      }),
    );
    const fresh = new Map(
      hashes.flatMap((hash, index) => (addresses.has(hash) ? [] : [[hash, texts[index]!] as const])),
    );
    if (fresh.size > 0) {
      let payloads: Payload[] = [...fresh.values()].map((data) => ({
        metadata: { [METADATA_ENCODING_KEY]: JSON_ENCODING },
        data,
      }));
      for (const codec of this.codecs) payloads = await codec.encode(payloads);
      const target = { kind: 'workflow' as const, namespace };
      const claims = await this.driver.store({ target, ...(abortSignal && { abortSignal }) }, payloads);
      for (const [index, hash] of [...fresh.keys()].entries()) {
        const { root, bytes } = readClaim(claims[index]!);
        addresses.set(hash, `${root}:${bytes}`);
        this.#remember(hash, `${root}:${bytes}`);
      }
    }
    return hashes.map((hash) => addresses.get(hash)!);
  }

  async #present(namespace: string, addresses: readonly string[]): Promise<Set<string>> {
    const claims = addresses.map((address) => this.#claimOf(address));
    const roots = await this.driver.noteNeed(namespace, claims);
    return new Set(addresses.filter((_address, index) => roots.has(readClaim(claims[index]!).root)));
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
    const claims = addresses.map((address) => this.#claimOf(address));
    let payloads = await this.driver.retrieve({}, claims);
    for (const codec of this.codecs.toReversed()) payloads = await codec.decode(payloads);
    return payloads.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as Json);
  }
}

/**
 * Returns the values in a converter's storage; undefined without a storage of this package.
 *
 * @param namespace whose values they are, once they are read
 */
export function valueStorageOf(
  converter: DataConverter | undefined,
  namespace: () => string,
): ValueStorage | undefined {
  const driver = partDriverOf(converter);
  return driver && new ValueStorage(driver, converter?.payloadCodecs ?? [], namespace);
}
