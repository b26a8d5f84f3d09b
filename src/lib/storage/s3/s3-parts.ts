import { runConcurrently } from '../../base/concurrently';
import { StoredDataMissing } from '../errors';
import type { Part } from '../parts/part';
import type { PartStore, SweepResult } from '../parts/part-store';
import type { S3Objects } from './s3-objects';

/** Requests for parts at the same time. */
const TOGETHER = 8;

/** Returns the beginning of the keys of a namespace, those of the SDK's driver too. */
export function namespacePrefix(namespace: string): string {
  return `v0/ns/${encodeURIComponent(namespace).replaceAll('~', '%7E') || 'null'}/`;
}

/**
 * Parts as objects `v0/ns/<namespace>/attachments/<hash>`, beside the payloads of the SDK's driver: for attachments, which are
 * few, large and not cut. An object that is a day old is written anew when it is needed, since S3 cannot set its time.
 */
export class S3Parts implements PartStore {
  readonly description: string;

  constructor(
    private readonly objects: S3Objects,
    private readonly bucket: string,
  ) {
    this.description = `S3 bucket "${bucket}"`;
  }

  async put(namespace: string, parts: readonly Part[], signal?: AbortSignal): Promise<void> {
    await runConcurrently(parts, TOGETHER, async ({ hash, bytes }) => {
      const key = this.#key(namespace, hash);
      const options = signal ? { abortSignal: signal } : {};
      if (await this.objects.objectExists(this.bucket, key, options)) return;
      await this.objects.putObject(this.bucket, key, bytes, options);
    });
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await runConcurrently(hashes, TOGETHER, async (hash) => {
      const bytes = await this.#read(this.#key(namespace, hash), signal);
      if (bytes) found.set(hash, bytes);
    });
    return found;
  }

  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    await runConcurrently(hashes, TOGETHER, async (hash) => {
      const key = this.#key(namespace, hash);
      if (!(await this.objects.objectExists(this.bucket, key))) {
        const bytes = await this.#read(key);
        if (!bytes) return;
        await this.objects.putObject(this.bucket, key, bytes);
      }
      found.add(hash);
    });
    return found;
  }

  /** Does nothing: the sweep of the bucket deletes these objects with all others. */
  async sweep(): Promise<SweepResult> {
    return { deletedParts: 0, freedBytes: 0 };
  }

  /** Does nothing: the connections are those of the bucket's storage. */
  async close(): Promise<void> {}

  #key(namespace: string, hash: string): string {
    return `${namespacePrefix(namespace)}attachments/${hash}`;
  }

  async #read(key: string, abortSignal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await this.objects.getObject(this.bucket, key, abortSignal ? { abortSignal } : {});
    } catch (error) {
      if (error instanceof StoredDataMissing) return undefined;
      throw error;
    }
  }
}
