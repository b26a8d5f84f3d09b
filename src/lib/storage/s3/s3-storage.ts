import type * as Aws from '@aws-sdk/client-s3';
import type {
  Payload,
  StorageDriver,
  StorageDriverClaim,
  StorageDriverRetrieveContext,
  StorageDriverStoreContext,
} from '@temporalio/common';
import type * as Sdk from '@temporalio/external-storage-s3';
import { requireOptional } from '../../optional-packages';
import { InvalidStorageSettings, StoredClaimInvalid, StoredDataCorrupt, StoredDataMissing } from '../errors';
import {
  createNamespaceCheck,
  DEFAULT_RETRY_FOR_MS,
  ObjectStorageDriver,
  type ObjectStorageOptions,
} from '../object-storage-driver';
import { type SweepOptions, type SweepResult, sweepStore } from '../object-store';
import { addressOf, S3Store } from './s3-store';

export interface S3StorageOptions extends ObjectStorageOptions {
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
  readonly attachments: ObjectStorageDriver;
  readonly #driver: StorageDriver;
  readonly #store: S3Store;
  readonly #bucket: string;
  readonly #served: (namespace: string) => string;

  /** @throws PackageMissing, InvalidStorageSettings */
  constructor({ bucket, region, endpoint, pathStyle = false, namespaces, retryForMs }: S3StorageOptions) {
    if (bucket === '') throw new InvalidStorageSettings('The bucket of an S3 storage must have a name');
    const sdk = requireOptional('S3 storage', '@aws-sdk/client-s3') as typeof Aws;
    const { S3StorageDriver } = requireOptional('S3 storage', '@temporalio/external-storage-s3') as typeof Sdk;
    const client = new sdk.S3Client({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: pathStyle,
    });
    this.#store = new S3Store(bucket, sdk, client, retryForMs ?? DEFAULT_RETRY_FOR_MS);
    this.#driver = new S3StorageDriver({ client: this.#store, bucket }) as StorageDriver;
    this.name = this.#driver.name;
    this.type = this.#driver.type;
    this.#bucket = bucket;
    this.#served = createNamespaceCheck(this.name, namespaces);
    const options = { ...(namespaces === undefined ? {} : { namespaces }), retryForMs: 0 };
    this.attachments = new ObjectStorageDriver('durable-reflection.s3', this.name, this.#store, options);
  }

  /** Stores payloads for the SDK. Throws StoredClaimInvalid for a namespace that is not served. */
  async store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    this.#served(context.target?.namespace ?? '');
    return this.#driver.store(context, payloads);
  }

  /** Reads payloads for the SDK. Throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid. */
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
      throw new StoredDataCorrupt(addressOf(key), this.#store.description, 'its hash is another one');
    }
  }

  /** Sweeps the whole bucket, attachments and payloads, as `sweepStore` does. */
  async sweep(options: SweepOptions): Promise<SweepResult> {
    return sweepStore(this.#store, options);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
