import {
  METADATA_ENCODING_KEY,
  type Payload,
  type StorageDriver,
  type StorageDriverClaim,
  type StorageDriverRetrieveContext,
  type StorageDriverStoreContext,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';

import { readClaim, writeClaim } from './claim';
import { InvalidStorageSettings } from '../errors';
import { joinParts, loadParts } from './join-parts';
import { payloadPart } from './part';
import { assertSwept, type PartStore, type SweepOptions, type SweepResult } from './part-store';
import { retryTransient } from '../retry-transient';
import { type ServedNamespaces, createNamespaceCheck } from '../served-namespaces';
import { splitJson, type SplitText } from './split-json';

const PayloadProto = temporal.api.common.v1.Payload;

const JSON_ENCODING = 'json/plain';

const DEFAULT_PART_BYTES = 1_024;
/** Milliseconds for which a storage that is away is tried again. */
export const DEFAULT_RETRY_FOR_MS = 8_000;

/** The options that all drivers of this package share. */
export interface PartStorageOptions {
  /**
   * The driver's name in references. Histories keep it: a driver under another name cannot follow them. Default: by the
   * kind of storage.
   */
  name?: string;
  /** Values whose JSON is at least so many bytes long are parts of their own, kept once. At least 64. Default: 1024. */
  partBytes?: number;
  /** The Temporal namespaces that this driver serves, or what says so; it refuses others, reading and writing. Default: all. */
  namespaces?: ServedNamespaces;
  /** Milliseconds for which a storage that is away for a moment is tried again. Default: 8000. */
  retryForMs?: number;
}

/**
 * A driver for the SDK's external storage over a store of parts. JSON payloads are kept as parts (see `splitJson`), so a
 * value that comes again and again, in results, inputs and states, is kept once a namespace. Others, such as encrypted
 * ones, are kept whole. What is retrieved equals what was stored byte for byte.
 */
export class PartStorageDriver implements StorageDriver {
  readonly name: string;
  readonly #partBytes: number;
  /** Returns a namespace that the driver serves, and throws for others. */
  readonly #served: (namespace: string) => string;
  readonly #retryForMs: number;
  /** How often it was closed: what was under way then is not tried again, on connections that would be opened for it. */
  #closes = 0;

  /** @throws InvalidStorageSettings */
  constructor(
    readonly type: string,
    private readonly parts: PartStore,
    options: PartStorageOptions & { name: string },
  ) {
    this.name = options.name;
    this.#partBytes = options.partBytes ?? DEFAULT_PART_BYTES;
    this.#served = createNamespaceCheck(options.name, options.namespaces);
    this.#retryForMs = options.retryForMs ?? DEFAULT_RETRY_FOR_MS;
    // A reference takes 36 bytes itself: below that, cutting would make documents larger.
    if (!(this.#partBytes >= 64)) throw new InvalidStorageSettings('partBytes must be 64 or more');
  }

  /** Stores payloads for the SDK. When it resolves, a claim may be written into a history: its data survives a crash. */
  async store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    const namespace = this.#served(context.target?.namespace ?? '');
    const split = payloads.map((payload) => this.#split(payload));
    const parts = new Map(split.flatMap(({ parts: ofOne }) => ofOne.map((part) => [part.hash, part] as const)));
    await this.#retry(context.abortSignal, () => this.parts.put(namespace, [...parts.values()], context.abortSignal));
    return split.map(({ root, bytes }) => writeClaim({ namespace, root: root.hash, bytes }));
  }

  /**
   * Reads payloads for the SDK.
   *
   * @throws StoredDataMissing, StoredDataCorrupt, StoredClaimInvalid
   */
  async retrieve(context: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    const read = claims.map(readClaim);
    const roots = new Map<string, string[]>();
    for (const { namespace, root } of read) {
      roots.set(this.#served(namespace), [...(roots.get(namespace) ?? []), root]);
    }
    const signal = context.abortSignal;
    const load = async ([namespace, ofOne]: [string, string[]]) =>
      [namespace, await this.#retry(signal, () => loadParts(this.parts, namespace, ofOne, signal))] as const;
    const loaded = new Map(await Promise.all([...roots].map(load)));
    return read.map((claim) => {
      const { kind, data } = joinParts(loaded.get(claim.namespace)!, claim, this.parts.description);
      return kind === 'payload'
        ? PayloadProto.decode(data)
        : { metadata: { [METADATA_ENCODING_KEY]: Buffer.from(JSON_ENCODING) }, data };
    });
  }

  /**
   * Notes that what some claims start from is needed now, without reading it.
   *
   * @returns the roots that are there
   */
  async noteNeed(namespace: string, claims: readonly StorageDriverClaim[]): Promise<Set<string>> {
    const roots = [...new Set(claims.map((claim) => readClaim(claim).root))];
    return this.#retry(undefined, () => this.parts.noteNeed(this.#served(namespace), roots));
  }

  /**
   * Deletes what nothing has stored for `olderThanMs` milliseconds. Storing is the only sign of need: take more than the
   * namespace's retention time plus the longest run (a chain of continue-as-new counts as one for each of its runs), plus a
   * day, because after a power failure a time can be as much too early. Can run while workers work, and twice at once.
   *
   * @throws InvalidStorageSettings when `olderThanMs` is not a number of at least 0
   */
  async sweep(options: SweepOptions): Promise<SweepResult> {
    assertSwept(options);
    return this.parts.sweep(options);
  }

  /** Ends connections that the driver opened itself. May be called again; the next use opens others. */
  async close(): Promise<void> {
    this.#closes += 1;
    await this.parts.close();
  }

  #retry<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#closes;
    return retryTransient(this.#retryForMs, signal, work, () => this.#closes > before);
  }

  #split(payload: Payload): SplitText & { bytes: number } {
    if (isPlainJson(payload)) {
      const data = payload.data ?? new Uint8Array();
      return { ...splitJson(data, this.#partBytes), bytes: data.length };
    }
    const encoded = PayloadProto.encode(payload).finish();
    const root = payloadPart(encoded);
    return { root, parts: [root], bytes: encoded.length };
  }
}

/** Returns whether a payload consists of its data alone: plain JSON, to which no codec or other SDK added anything. */
function isPlainJson({ metadata, externalPayloads }: Payload): boolean {
  const [entry, ...others] = Object.entries(metadata ?? {});
  if (others.length > 0 || (externalPayloads?.length ?? 0) > 0) return false;
  return entry?.[0] === METADATA_ENCODING_KEY && Buffer.from(entry[1]).toString() === JSON_ENCODING;
}
