import { type DataConverter, METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import type { AttachmentDetails, AttachmentReference } from '../contract/attachments';
import { StoredDataCorrupt } from './errors';
import { hashOf, ObjectStorageDriver } from './object-storage-driver';
import { S3Storage } from './s3/s3-storage';
import { createHash } from 'node:crypto';
import type { Json } from '../json/json';

const MOST_KNOWN = 10_000;

/**
 * JSON values in the storage of large payloads. A value is kept once a namespace: plain ones by their hash, and encrypted ones, of
 * which no two are the same bytes, as long as the process that stored them remembers where.
 */
export class ValueStorage {
  readonly #known = new Map<string, string>();

  constructor(private readonly payloads: AddressedPayloads) {}

  /**
   * Stores values, or notes that they are needed still. When it resolves, they survive a crash. Throws what the storage throws.
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

  /** Reads values by their addresses. Throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid. */
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

const RAW = 'binary/plain';

/** Payloads in the storage of large payloads that are read by their addresses, encrypted as payloads are. */
export class AddressedPayloads {
  constructor(
    private readonly driver: ObjectStorageDriver,
    private readonly codecs: readonly PayloadCodec[],
    private readonly namespaceOf: () => string,
  ) {}

  get name(): string {
    return this.driver.name;
  }

  get namespace(): string {
    return this.namespaceOf();
  }

  /** Stores bytes of an encoding. When it resolves, they survive a crash. */
  async put(encoding: string, all: readonly Uint8Array[], abortSignal?: AbortSignal): Promise<string[]> {
    let payloads: Payload[] = all.map((data) => ({
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(encoding) },
      data,
    }));
    for (const codec of this.codecs) payloads = await codec.encode(payloads);
    return this.driver.put(this.namespace, payloads, abortSignal);
  }

  /** @throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid */
  async load(addresses: readonly string[], abortSignal?: AbortSignal): Promise<Uint8Array[]> {
    let payloads = await this.driver.get(this.namespace, addresses, abortSignal);
    for (const codec of this.codecs.toReversed()) payloads = await codec.decode(payloads);
    return payloads.map(({ data }) => data ?? new Uint8Array());
  }

  /** Finds the addresses that are there, and notes that they are needed now: a sweep leaves them. */
  async findPresent(addresses: readonly string[]): Promise<Set<string>> {
    return this.driver.noteNeed(this.namespace, addresses);
  }
}

/**
 * Pictures and files in the storage of large payloads, each an object of its own under the hash of what is stored. What travels
 * through histories is a reference.
 */
export class AttachmentStorage {
  constructor(private readonly payloads: AddressedPayloads) {}

  /** Stores bytes. When it resolves, they survive a crash. Throws what the storage throws. */
  async put(bytes: Uint8Array, { mediaType, name }: AttachmentDetails): Promise<AttachmentReference> {
    const [stored] = await this.payloads.put(RAW, [bytes]);
    return {
      sha256: hashOf(bytes),
      stored: stored!,
      mediaType,
      bytes: bytes.length,
      ...(name === undefined ? {} : { name }),
    };
  }

  /** Reads the bytes, and notes that they are needed still. Throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid. */
  async load(reference: AttachmentReference, abortSignal?: AbortSignal): Promise<Uint8Array> {
    await this.findMissing([reference]);
    const [data] = await this.payloads.load([reference.stored], abortSignal);
    if (reference.sha256 !== hashOf(data!)) {
      const { namespace, name } = this.payloads;
      const address = { namespace, hash: reference.stored.split(':')[0]! };
      throw new StoredDataCorrupt(address, name, 'its bytes are not those of the attachment');
    }
    return data!;
  }

  /** Finds the references that the storage does not have. The others are noted as needed now: a sweep leaves them. */
  async findMissing(references: readonly AttachmentReference[]): Promise<AttachmentReference[]> {
    const present = await this.payloads.findPresent(references.map(({ stored }) => stored));
    return references.filter(({ stored }) => !present.has(stored));
  }
}

/** Undefined without a storage of this package: references to others could name anything that these can read. */
export function addressedPayloadsOf(
  converter: DataConverter | undefined,
  namespace: () => string,
): AddressedPayloads | undefined {
  const [driver] = (converter?.externalStorage?.drivers ?? []).flatMap((each) => {
    if (each instanceof S3Storage) return [each.attachments];
    return each instanceof ObjectStorageDriver ? [each] : [];
  });
  return driver && new AddressedPayloads(driver, converter?.payloadCodecs ?? [], namespace);
}

/** @param namespace whose attachments they are, once they are read */
export function attachmentStorageOf(
  converter: DataConverter | undefined,
  namespace: () => string,
): AttachmentStorage | undefined {
  const payloads = addressedPayloadsOf(converter, namespace);
  return payloads && new AttachmentStorage(payloads);
}
