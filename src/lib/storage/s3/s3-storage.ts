import type * as Aws from '@aws-sdk/client-s3';
import type {
  Payload,
  StorageDriver,
  StorageDriverClaim,
  StorageDriverRetrieveContext,
  StorageDriverStoreContext,
} from '@temporalio/common';
import type * as Sdk from '@temporalio/external-storage-s3';
import { runConcurrently } from '../../base/concurrently';
import { requireOptional } from '../../optional-packages';
import { InvalidStorageSettings, StoredClaimInvalid, StoredDataCorrupt, StoredDataMissing } from '../errors';
import { DEFAULT_RETRY_FOR_MS, PartStorageDriver, type PartStorageOptions } from '../parts/part-storage-driver';
import { assertSwept, type SweepOptions, type SweepResult } from '../parts/part-store';
import { createNamespaceCheck } from '../served-namespaces';
import { addressOf, S3Objects } from './s3-objects';
import { namespacePrefix, S3Parts } from './s3-parts';

/** Requests of a sweep at the same time. */
const SWEPT_TOGETHER = 16;

export interface S3StorageOptions extends Pick<PartStorageOptions, 'namespaces' | 'retryForMs'> {
  bucket: string;
  /** Default: what the AWS SDK finds, such as `AWS_REGION`. */
  region?: string;
  /** Address of a server that speaks S3's protocol. Default: AWS, or `AWS_ENDPOINT_URL_S3`. */
  endpoint?: string;
  /** Whether the bucket is in the path of a URL and not in its host name, as most other servers require it. Default: false. */
  pathStyle?: boolean;
}

/**
 * Keeps large payloads in an S3 bucket, through the driver of Temporal's SDK: each payload is one object, by run and hash.
 * References are those of that driver, so its owners in every language follow them.
 */
export class S3Storage implements StorageDriver {
  /** That of the SDK's driver. */
  readonly name: string;
  readonly type: string;
  /** The storage of attachments, which are addressed by their hash and not by a run. */
  readonly attachments: PartStorageDriver;
  readonly #driver: StorageDriver;
  readonly #objects: S3Objects;
  readonly #client: Aws.S3Client;
  readonly #bucket: string;
  /** Returns a namespace that the storage serves, and throws for others. */
  readonly #served: (namespace: string) => string;

  /** @throws PackageMissing, InvalidStorageSettings */
  constructor({ bucket, region, endpoint, pathStyle = false, namespaces, retryForMs }: S3StorageOptions) {
    if (bucket === '') throw new InvalidStorageSettings('The bucket of an S3 storage must have a name');
    const sdk = requireOptional('S3 storage', '@aws-sdk/client-s3') as typeof Aws;
    const { S3StorageDriver } = requireOptional('S3 storage', '@temporalio/external-storage-s3') as typeof Sdk;
    this.#client = new sdk.S3Client({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: pathStyle,
    });
    this.#objects = new S3Objects(sdk, this.#client, retryForMs ?? DEFAULT_RETRY_FOR_MS);
    this.#driver = new S3StorageDriver({ client: this.#objects, bucket }) as StorageDriver;
    this.name = this.#driver.name;
    this.type = this.#driver.type;
    this.#bucket = bucket;
    this.#served = createNamespaceCheck(this.name, namespaces);
    const options = { name: this.name, ...(namespaces === undefined ? {} : { namespaces }), retryForMs: 0 };
    this.attachments = new PartStorageDriver('durable-reflection.s3', new S3Parts(this.#objects, bucket), options);
  }

  /**
   * Stores payloads for the SDK.
   *
   * @throws StoredClaimInvalid for a namespace that is not served
   */
  async store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    this.#served(context.target?.namespace ?? '');
    return this.#driver.store(context, payloads);
  }

  /**
   * Reads payloads for the SDK.
   *
   * @throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid
   */
  async retrieve(context: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    for (const { claimData } of claims) {
      const { bucket = '', key = '' } = claimData;
      // Claims come from histories, which other programs write to as well.
      if (bucket !== this.#bucket || !key.startsWith('v0/'))
        throw new StoredClaimInvalid(`it leads out of the storage of this process, the bucket "${this.#bucket}"`);
      this.#served(addressOf(key).namespace);
    }
    try {
      return await this.#driver.retrieve(context, claims);
    } catch (error) {
      const { cause, message } = error as Error;
      if (cause instanceof StoredDataMissing || cause instanceof StoredDataCorrupt) throw cause;
      const [, key] = /integrity check failed \[bucket=[^,]*, key=([^\]]+)\]/.exec(message) ?? [];
      if (key === undefined) throw error;
      throw new StoredDataCorrupt(addressOf(key), `S3 bucket "${this.#bucket}"`, 'its hash is another one');
    }
  }

  /**
   * Deletes objects that nothing has stored for `olderThanMs` milliseconds: take more than the namespace's retention plus the
   * longest run, plus a day. Can run while workers work.
   */
  async sweep(options: SweepOptions): Promise<SweepResult> {
    assertSwept(options);
    const { olderThanMs, namespace } = options;
    const before = Date.now() - olderThanMs;
    const prefix = namespace === undefined ? 'v0/' : namespacePrefix(namespace);
    const result: SweepResult = { deletedParts: 0, freedBytes: 0 };
    for await (const page of this.#objects.list(this.#bucket, prefix)) {
      const old = page.filter(({ storedAt }) => storedAt < before);
      await runConcurrently(old, SWEPT_TOGETHER, async ({ key, bytes }) => {
        // It may have been stored again since it was listed.
        const storedAt = await this.#objects.readStoredAt(this.#bucket, key);
        if (storedAt === undefined || storedAt >= before) return;
        await this.#objects.delete(this.#bucket, key);
        result.deletedParts += 1;
        result.freedBytes += bytes;
      });
    }
    return result;
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    this.#client.destroy();
  }
}

/**
 * Keeps large payloads in an S3 bucket: for workers on several machines. Credentials are found as the AWS SDK finds them.
 *
 * @throws PackageMissing, InvalidStorageSettings
 */
export function s3Storage(options: S3StorageOptions): S3Storage {
  return new S3Storage(options);
}
