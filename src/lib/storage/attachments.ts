import { createHash } from 'node:crypto';
import {
  type DataConverter,
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type StorageDriverClaim,
} from '@temporalio/common';
import type { AttachmentDetails, AttachmentReference } from '../contract/attachments';
import { StoredDataCorrupt } from './errors';
import { readClaim, writeClaim } from './parts/claim';
import { PartStorageDriver } from './parts/part-storage-driver';
import { S3Storage } from './s3/s3-storage';

const RAW = 'binary/plain';

/**
 * Returns the claim on the bytes of a reference in a storage. A reference names no namespace, so it leads into that of its reader
 * only.
 */
function claimOf({ stored }: Pick<AttachmentReference, 'stored'>, namespace: string): StorageDriverClaim {
  const [root = '', bytes = ''] = stored.split(':');
  return writeClaim({ namespace, root, bytes: Number(bytes) });
}

/**
 * Pictures and files in the storage of large payloads: encrypted as payloads are, one part each, under the hash of what is
 * stored. What travels through histories is a reference.
 */
export class AttachmentStorage {
  constructor(
    private readonly driver: PartStorageDriver,
    private readonly codecs: readonly PayloadCodec[],
    private readonly namespaceOf: () => string,
  ) {}

  private get namespace(): string {
    return this.namespaceOf();
  }

  /**
   * Stores bytes. When it resolves, they survive a crash.
   *
   * @throws what the storage throws
   */
  async put(bytes: Uint8Array, { mediaType, name }: AttachmentDetails): Promise<AttachmentReference> {
    let payloads: Payload[] = [{ metadata: { [METADATA_ENCODING_KEY]: Buffer.from(RAW) }, data: bytes }];
    for (const codec of this.codecs) payloads = await codec.encode(payloads);
    const target = { kind: 'workflow' as const, namespace: this.namespace };
    const [claim] = await this.driver.store({ target }, payloads);
    const { root, bytes: stored } = readClaim(claim!);
    return {
      sha256: hashOf(bytes),
      stored: `${root}:${stored}`,
      mediaType,
      bytes: bytes.length,
      ...(name === undefined ? {} : { name }),
    };
  }

  /**
   * Reads the bytes, and notes that they are needed still.
   *
   * @throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid
   */
  async load(reference: AttachmentReference, abortSignal?: AbortSignal): Promise<Uint8Array> {
    const claim = claimOf(reference, this.namespace);
    await this.findMissing([reference]);
    let payloads = await this.driver.retrieve(abortSignal ? { abortSignal } : {}, [claim]);
    for (const codec of this.codecs.toReversed()) payloads = await codec.decode(payloads);
    const data = payloads[0]?.data ?? new Uint8Array();
    if (reference.sha256 !== hashOf(data)) {
      const address = { namespace: this.namespace, hash: readClaim(claim).root };
      throw new StoredDataCorrupt(address, this.driver.name, 'its bytes are not those of the attachment');
    }
    return data;
  }

  /** Returns the references that the storage does not have. The others are noted as needed now: a sweep leaves them. */
  async findMissing(references: readonly AttachmentReference[]): Promise<AttachmentReference[]> {
    const claims = references.map((reference) => claimOf(reference, this.namespace));
    const found = await this.driver.noteNeed(this.namespace, claims);
    return references.filter((_reference, index) => !found.has(readClaim(claims[index]!).root));
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Returns the attachments of a converter's storage. Undefined without one of this package: references to others could name
 * anything that these can read.
 *
 * @param namespace whose attachments they are, once they are read
 */
export function attachmentStorageOf(
  converter: DataConverter | undefined,
  namespace: () => string,
): AttachmentStorage | undefined {
  const driver = partDriverOf(converter);
  return driver && new AttachmentStorage(driver, converter?.payloadCodecs ?? [], namespace);
}

/** Returns the driver of parts in a converter's storage; undefined without a storage of this package. */
export function partDriverOf(converter: DataConverter | undefined): PartStorageDriver | undefined {
  const drivers = (converter?.externalStorage?.drivers ?? []).flatMap((driver) => {
    if (driver instanceof S3Storage) return [driver.attachments];
    return driver instanceof PartStorageDriver ? [driver] : [];
  });
  return drivers[0];
}
