import type * as Aws from '@aws-sdk/client-s3';
import type { S3StorageDriverClient } from '@temporalio/external-storage-s3';
import { runConcurrently } from '../../base/concurrently';
import { withTimeout } from '../../timeout';
import { StoredDataCorrupt, StoredDataMissing } from '../errors';
import type { ListedObject, ObjectStore, StoredObject, SweepOptions } from '../object-store';
import { retryTransient } from '../retry-transient';

type AwsSdk = Pick<
  typeof Aws,
  'DeleteObjectCommand' | 'GetObjectCommand' | 'HeadObjectCommand' | 'ListObjectsV2Command' | 'PutObjectCommand'
>;

const REQUEST_MS = 30_000;
const MOST_REQUESTS = 8;
/** Objects that were stored before that are written anew when they are stored again, so that a sweep sees when that was. */
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Reads the namespace and the hash in a key of the SDK's driver, as far as it has them. */
export function addressOf(key: string): { namespace: string; hash: string } {
  const [, namespace = ''] = /^v0\/ns\/([^/]+)\//.exec(key) ?? [];
  return { namespace: namespace === 'null' ? '' : decodeURIComponent(namespace), hash: key.split('/').at(-1) ?? '' };
}

function namespacePrefix(namespace: string): string {
  return `v0/ns/${encodeURIComponent(namespace).replaceAll('~', '%7E') || 'null'}/`;
}

const keyOf = (namespace: string, hash: string): string => `${namespacePrefix(namespace)}attachments/${hash}`;

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
};

/**
 * The objects of a bucket. The SDK's driver stores payloads through it, under keys of its own. Attachments, which belong to no
 * run, are `v0/ns/<namespace>/attachments/<hash>`. Requests are bounded, and tried again.
 */
export class S3Store implements S3StorageDriverClient, ObjectStore {
  readonly description: string;

  constructor(
    private readonly bucket: string,
    private readonly sdk: AwsSdk,
    private readonly client: Aws.S3Client,
    private readonly retryForMs: number,
  ) {
    this.description = `S3 bucket "${bucket}"`;
  }

  async putObject(Bucket: string, Key: string, Body: Uint8Array, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const command = { Bucket, Key, Body };
    await this.#retry(abortSignal, (signal) => this.client.send(new this.sdk.PutObjectCommand(command), signal));
  }

  /** True for an object that is there, and was stored of late. */
  async objectExists(bucket: string, key: string, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const storedAt = await this.#readStoredAt(bucket, key, abortSignal);
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
      if (isMissing(error)) throw new StoredDataMissing(addressOf(key), this.description);
      // The AWS SDK compares the checksum that the object was stored with.
      const isDamaged = error instanceof Error && /^checksum mismatch/i.test(error.message);
      if (isDamaged) throw new StoredDataCorrupt(addressOf(key), this.description, 'its checksum is another one');
      throw error;
    }
  }

  async put(namespace: string, objects: readonly StoredObject[], abortSignal?: AbortSignal): Promise<void> {
    await runConcurrently(objects, MOST_REQUESTS, async ({ hash, bytes }) => {
      const key = keyOf(namespace, hash);
      const options = abortSignal ? { abortSignal } : {};
      if (await this.objectExists(this.bucket, key, options)) return;
      await this.putObject(this.bucket, key, bytes, options);
    });
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await runConcurrently(hashes, MOST_REQUESTS, async (hash) => {
      const bytes = await this.#read(keyOf(namespace, hash), signal);
      if (bytes) found.set(hash, bytes);
    });
    return found;
  }

  /** An object that is a day old is read and written anew, since S3 cannot set its time. */
  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    await runConcurrently(hashes, MOST_REQUESTS, async (hash) => {
      const key = keyOf(namespace, hash);
      if (!(await this.objectExists(this.bucket, key))) {
        const bytes = await this.#read(key);
        if (!bytes) return;
        await this.putObject(this.bucket, key, bytes);
      }
      found.add(hash);
    });
    return found;
  }

  async *list({ olderThanMs, namespace }: SweepOptions): AsyncIterableIterator<ListedObject[], void> {
    const before = Date.now() - olderThanMs;
    const place = { Bucket: this.bucket, Prefix: namespace === undefined ? 'v0/' : namespacePrefix(namespace) };
    let token: string | undefined;
    do {
      const command = new this.sdk.ListObjectsV2Command({ ...place, ContinuationToken: token });
      const page = await this.#retry(undefined, (options) => this.client.send(command, options));
      yield (page.Contents ?? []).flatMap(({ Key: key = '', LastModified, Size: bytes = 0 }) =>
        LastModified && LastModified.getTime() < before ? [{ key, bytes }] : [],
      );
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async delete(objects: readonly ListedObject[], olderThanMs: number): Promise<ListedObject[]> {
    const deleted: ListedObject[] = [];
    const before = Date.now() - olderThanMs;
    await runConcurrently(objects, MOST_REQUESTS, async (object) => {
      const storedAt = await this.#readStoredAt(this.bucket, object.key);
      if (storedAt === undefined || storedAt >= before) return;
      const command = new this.sdk.DeleteObjectCommand({ Bucket: this.bucket, Key: object.key });
      await this.#retry(undefined, (options) => this.client.send(command, options));
      deleted.push(object);
    });
    return deleted;
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  /** Reads when an object was stored, in milliseconds since 1970; undefined: there is none. */
  async #readStoredAt(bucket: string, key: string, signal?: AbortSignal): Promise<number | undefined> {
    const command = new this.sdk.HeadObjectCommand({ Bucket: bucket, Key: key });
    try {
      const { LastModified } = await this.#retry(signal, (options) => this.client.send(command, options));
      return LastModified?.getTime() ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #read(key: string, abortSignal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await this.getObject(this.bucket, key, abortSignal ? { abortSignal } : {});
    } catch (error) {
      if (error instanceof StoredDataMissing) return undefined;
      throw error;
    }
  }

  #retry<T>(signal: AbortSignal | undefined, work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    return retryTransient(this.retryForMs, signal, () =>
      withTimeout(REQUEST_MS, signal, (abortSignal) => work({ abortSignal })),
    );
  }
}
