import type * as Aws from '@aws-sdk/client-s3';
import type { S3StorageDriverClient } from '@temporalio/external-storage-s3';
import { StoredDataCorrupt, StoredDataMissing } from '../errors';
import { withTimeout } from '../../timeout';
import { retryTransient } from '../retry-transient';

type AwsSdk = Pick<
  typeof Aws,
  'DeleteObjectCommand' | 'GetObjectCommand' | 'HeadObjectCommand' | 'ListObjectsV2Command' | 'PutObjectCommand'
>;

/** A request that nothing comes back for is given up, and made again. */
const REQUEST_MS = 30_000;
/** Objects that were stored before that are written anew when they are stored again, so that a sweep sees when that was. */
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1_000;

/** An object as a list of a bucket has it. */
interface ListedObject {
  key: string;
  /** Milliseconds since 1970. */
  storedAt: number;
  bytes: number;
}

/** Returns the namespace and the hash in a key of the SDK's driver, as far as it has them. */
export function addressOf(key: string): { namespace: string; hash: string } {
  const [, namespace = ''] = /^v0\/ns\/([^/]+)\//.exec(key) ?? [];
  return { namespace: namespace === 'null' ? '' : decodeURIComponent(namespace), hash: key.split('/').at(-1) ?? '' };
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
};

/** The objects of a bucket: what the SDK's driver asks for, and what a sweep needs. Requests are bounded, and tried again. */
export class S3Objects implements S3StorageDriverClient {
  constructor(
    private readonly sdk: AwsSdk,
    private readonly client: Aws.S3Client,
    private readonly retryForMs: number,
  ) {}

  async putObject(bucket: string, key: string, data: Uint8Array, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const command = { Bucket: bucket, Key: key, Body: data };
    await this.#retry(abortSignal, (signal) => this.client.send(new this.sdk.PutObjectCommand(command), signal));
  }

  /** Returns whether an object is there, and was stored of late. */
  async objectExists(bucket: string, key: string, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const storedAt = await this.readStoredAt(bucket, key, abortSignal);
    return storedAt !== undefined && storedAt > Date.now() - RENEWED_AFTER_MS;
  }

  /** @throws StoredDataMissing, StoredDataCorrupt */
  async getObject(bucket: string, key: string, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const command = new this.sdk.GetObjectCommand({ Bucket: bucket, Key: key });
    try {
      return await this.#retry(abortSignal, async (signal) => {
        const { Body } = await this.client.send(command, signal);
        return await Body!.transformToByteArray();
      });
    } catch (error) {
      const storage = `S3 bucket "${bucket}"`;
      if (isMissing(error)) throw new StoredDataMissing(addressOf(key), storage);
      // The AWS SDK compares the checksum that the object was stored with.
      const isDamaged = error instanceof Error && /^checksum mismatch/i.test(error.message);
      if (isDamaged) throw new StoredDataCorrupt(addressOf(key), storage, 'its checksum is another one');
      throw error;
    }
  }

  /** Returns when an object was stored, in milliseconds since 1970; undefined: there is none. */
  async readStoredAt(bucket: string, key: string, signal?: AbortSignal): Promise<number | undefined> {
    const command = new this.sdk.HeadObjectCommand({ Bucket: bucket, Key: key });
    try {
      const { LastModified } = await this.#retry(signal, (options) => this.client.send(command, options));
      return LastModified?.getTime() ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async *list(bucket: string, prefix: string): AsyncIterableIterator<ListedObject[], void> {
    let token: string | undefined;
    do {
      const command = new this.sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
      const page = await this.#retry(undefined, (options) => this.client.send(command, options));
      yield (page.Contents ?? []).map(({ Key = '', LastModified, Size = 0 }) => ({
        key: Key,
        storedAt: LastModified?.getTime() ?? Date.now(),
        bytes: Size,
      }));
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async delete(bucket: string, key: string): Promise<void> {
    const command = new this.sdk.DeleteObjectCommand({ Bucket: bucket, Key: key });
    await this.#retry(undefined, (options) => this.client.send(command, options));
  }

  #retry<T>(signal: AbortSignal | undefined, work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    return retryTransient(this.retryForMs, signal, () =>
      withTimeout(REQUEST_MS, signal, (abortSignal) => work({ abortSignal })),
    );
  }
}
