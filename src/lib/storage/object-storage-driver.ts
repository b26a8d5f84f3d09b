import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import {
  type Payload,
  type StorageDriver,
  StorageDriverClaim,
  type StorageDriverRetrieveContext,
  type StorageDriverStoreContext,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { StoredClaimInvalid, StoredDataCorrupt, StoredDataMissing } from './errors';
import { type ObjectStore, type StoredObject, type SweepOptions, type SweepResult, sweepStore } from './object-store';
import { retryTransient } from './retry-transient';

const PayloadProto = temporal.api.common.v1.Payload;
const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The version of the format. Histories are kept for years, and a reader must refuse formats that it does not know. */
const FORMAT = '2';
const HASH = /^[0-9a-f]{64}$/;
const BYTES = /^\d{1,15}$/;

const LARGEST_BYTES = 2 ** 31 - 1;

/** Milliseconds for which a storage that is away is tried again. */
export const DEFAULT_RETRY_FOR_MS = 8_000;

interface Claim {
  namespace: string;
  hash: string;
  /** The length of the payload, before it is compressed. */
  bytes: number;
}

export interface ObjectStorageOptions {
  /** The Temporal namespaces that this driver serves, or what says so; it refuses others, reading and writing. Default: all. */
  namespaces?: readonly string[] | ((namespace: string) => boolean);
  /** Milliseconds for which a storage that is away for a moment is tried again. Default: 8000. */
  retryForMs?: number;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Makes a function that returns a namespace that a driver serves.
 * @returns a function that throws StoredClaimInvalid for others
 */
export function createNamespaceCheck(
  name: string,
  namespaces: ObjectStorageOptions['namespaces'],
): (namespace: string) => string {
  const serves = typeof namespaces === 'function' ? namespaces : (one: string) => namespaces?.includes(one) ?? true;
  return (namespace) => {
    if (serves(namespace)) return namespace;
    throw new StoredClaimInvalid(`storage "${name}" does not serve namespace "${namespace}"`);
  };
}

function readClaim({ claimData }: StorageDriverClaim): Claim {
  const { format, namespace, hash = '', bytes = '' } = claimData;
  if (format === '1') {
    throw new StoredClaimInvalid('it is of durable-reflection 0.2 or earlier: read it with 0.2.1 (docs/upgrading.md)');
  }
  if (format !== FORMAT) {
    throw new StoredClaimInvalid(`it has format "${String(format)}", and this version reads format "${FORMAT}"`);
  }
  // Claims come from histories, which other programs write to as well: a hash ends up in a file's name.
  if (namespace === undefined || !HASH.test(hash) || !BYTES.test(bytes)) {
    throw new StoredClaimInvalid('its namespace, hash or length is malformed');
  }
  return { namespace, hash, bytes: Number(bytes) };
}

/**
 * A driver for the SDK's external storage over a store of objects. Each payload is compressed and kept under its hash, so the
 * same payload is kept once a namespace. What is retrieved equals what was stored byte for byte.
 */
export class ObjectStorageDriver implements StorageDriver {
  readonly #served: (namespace: string) => string;
  readonly #retryForMs: number;
  /** How often it was closed: what was under way then is not tried again, on connections that would be opened for it. */
  #closes = 0;

  constructor(
    readonly type: string,
    readonly name: string,
    private readonly objects: ObjectStore,
    options: ObjectStorageOptions,
  ) {
    this.#served = createNamespaceCheck(name, options.namespaces);
    this.#retryForMs = options.retryForMs ?? DEFAULT_RETRY_FOR_MS;
  }

  /** Stores payloads for the SDK. When it resolves, a claim may be written into a history: its data survives a crash. */
  async store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    const namespace = this.#served(context.target?.namespace ?? '');
    const signal = context.abortSignal;
    const objects = new Map<string, StoredObject>();
    const claims: StorageDriverClaim[] = [];
    for (const payload of payloads) {
      const encoded = PayloadProto.encode(payload).finish();
      const bytes = await deflate(encoded, { level: constants.Z_BEST_SPEED });
      const hash = hashOf(bytes);
      objects.set(hash, { hash, bytes });
      claims.push(new StorageDriverClaim({ format: FORMAT, namespace, hash, bytes: String(encoded.length) }));
    }
    await this.#retry(signal, () => this.objects.put(namespace, [...objects.values()], signal));
    return claims;
  }

  /** Reads payloads for the SDK. Throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid. */
  async retrieve(context: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    const read = claims.map(readClaim);
    const hashes = new Map<string, Set<string>>();
    for (const { namespace, hash } of read) {
      hashes.set(this.#served(namespace), (hashes.get(namespace) ?? new Set()).add(hash));
    }
    const signal = context.abortSignal;
    const load = async ([namespace, ofOne]: [string, Set<string>]) =>
      [namespace, await this.#retry(signal, () => this.objects.get(namespace, [...ofOne], signal))] as const;
    const loaded = new Map(await Promise.all([...hashes].map(load)));
    return Promise.all(read.map(async (claim) => this.#unpack(claim, loaded.get(claim.namespace)?.get(claim.hash))));
  }

  async #unpack({ namespace, hash, bytes }: Claim, stored: Uint8Array | undefined): Promise<Payload> {
    const { description } = this.objects;
    if (stored === undefined) throw new StoredDataMissing({ namespace, hash }, description);
    const corrupt = (problem: string): StoredDataCorrupt =>
      new StoredDataCorrupt({ namespace, hash }, description, problem);
    if (hashOf(stored) !== hash) throw corrupt('its content has another hash');
    // The length is a bound: a small object could be compressed from one that would not fit into memory.
    const maxOutputLength = Math.min(Math.max(bytes, 1), LARGEST_BYTES);
    const encoded = await inflate(stored, { maxOutputLength }).catch(() => undefined);
    if (encoded?.length !== bytes) throw corrupt(`it is not ${bytes} bytes long`);
    return PayloadProto.decode(encoded);
  }

  /**
   * Stores payloads by their content alone.
   * @returns the address of each, which names no namespace and so leads into that of its reader only
   */
  async put(namespace: string, payloads: Payload[], abortSignal?: AbortSignal): Promise<string[]> {
    const target = { kind: 'workflow' as const, namespace };
    const claims = await this.store({ target, ...(abortSignal && { abortSignal }) }, payloads);
    return claims.map(({ claimData: { hash, bytes } }) => `${hash}:${bytes}`);
  }

  /** Reads payloads by their addresses. Throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid. */
  async get(namespace: string, addresses: readonly string[], abortSignal?: AbortSignal): Promise<Payload[]> {
    return this.retrieve(
      abortSignal ? { abortSignal } : {},
      addresses.map((address) => claimOf(namespace, address)),
    );
  }

  /** Notes that payloads are needed now, without reading them. */
  async noteNeed(namespace: string, addresses: readonly string[]): Promise<Set<string>> {
    const hashes = addresses.map((address) => readClaim(claimOf(namespace, address)).hash);
    const found = await this.#retry(undefined, () =>
      this.objects.noteNeed(this.#served(namespace), [...new Set(hashes)]),
    );
    return new Set(addresses.filter((_address, index) => found.has(hashes[index]!)));
  }

  async sweep(options: SweepOptions): Promise<SweepResult> {
    return sweepStore(this.objects, options);
  }

  /** Ends connections that the driver opened itself. May be called again; the next use opens others. */
  async close(): Promise<void> {
    this.#closes += 1;
    await this.objects.close();
  }

  #retry<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#closes;
    return retryTransient(this.#retryForMs, signal, work, () => this.#closes > before);
  }
}

function claimOf(namespace: string, address: string): StorageDriverClaim {
  const [hash = '', bytes = ''] = address.split(':');
  return new StorageDriverClaim({ format: FORMAT, namespace, hash, bytes });
}
