import {
  type DataConverter,
  ExternalStorage,
  type Payload,
  type PayloadCodec,
  type PayloadConverter,
  RawValue,
  type SerializationContext,
  type StorageDriver,
  type StorageDriverTargetInfo,
} from '@temporalio/common';
import {
  encodeToPayload,
  ExternalStorageRunner,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow';
import type { LargeResult } from '../limits/large-result';
import { readingTime, RECOVERY_PROFILES } from '../limits/recovery';
import { orAborted, withTimeout } from '../timeout';
import { HIGHEST_THRESHOLD_BYTES } from './data-converter';
import { StorageTooSlow } from './errors';

interface ResultPlace {
  context: SerializationContext;
  target: StorageDriverTargetInfo;
}

/**
 * Lets activities store their results themselves. The SDK stores them as well, but only after the activity has come to its end:
 * nothing beats any more by then, and a storage that takes longer than the heartbeat timeout, or refuses, costs the call that the
 * result was paid for. An activity returns a finished payload instead. `converter`, which the worker must be made with, passes such
 * a payload on as it is: not encoded a second time, and not stored. A read through it arrives within a time, or is tried again.
 */
export class ResultStorage {
  readonly converter: DataConverter;
  readonly storedFromBytes: number;
  readonly #finished = new WeakSet<Payload>();
  readonly #own: ReturnType<typeof loadDataConverter>;
  readonly #runner: ExternalStorageRunner;
  readonly #canFinish: boolean;

  constructor(converter: DataConverter & { externalStorage: ExternalStorage }, readWithinMs: number) {
    const { externalStorage, payloadCodecs } = converter;
    const { driverSelector, payloadSizeThreshold } = externalStorage;
    const limited = new Map(externalStorage.drivers.map((driver) => [driver, limitReads(driver, readWithinMs)]));
    this.storedFromBytes = Math.min(payloadSizeThreshold, HIGHEST_THRESHOLD_BYTES);
    this.#own = loadDataConverter(converter);
    this.#runner = new ExternalStorageRunner(externalStorage);
    this.#canFinish = takesPayloads(this.#own.payloadConverter);
    this.converter = {
      ...converter,
      ...(payloadCodecs ? { payloadCodecs: payloadCodecs.map((codec) => this.#skipFinished(codec)) } : {}),
      externalStorage: new ExternalStorage({
        drivers: [...limited.values()],
        payloadSizeThreshold: this.storedFromBytes,
        driverSelector: (context, payload) => {
          const selected = this.#finished.has(payload) ? null : driverSelector(context, payload);
          return selected && (limited.get(selected) ?? selected);
        },
      }),
    };
  }

  /**
   * Encodes and stores a result; undefined for one that is not stored, because it is small or the converter leaves it in the
   * history.
   */
  async encode(result: unknown, { context, target }: ResultPlace): Promise<LargeResult | undefined> {
    if (!this.#canFinish) return undefined;
    const payload = await encodeToPayload(this.#own, result, context);
    if (!this.#isStored(payload, target)) return undefined;
    return {
      bytes: payload.data?.length ?? 0,
      store: async (abortSignal) => {
        const [stored] = await this.#runner.store([payload], { target, abortSignal });
        return this.#finish(stored!);
      },
      inline: () => this.#finish(payload),
    };
  }

  #isStored(payload: Payload, target: StorageDriverTargetInfo): boolean {
    const { driverSelector } = this.#own.externalStorage!;
    // A little under the threshold, where the SDK's own count decides, it is asked to store what it then leaves as it is.
    const bytes = (payload.data?.length ?? 0) + METADATA_BYTES;
    return bytes >= this.storedFromBytes && driverSelector({ target }, payload) !== null;
  }

  #finish(payload: Payload): unknown {
    this.#finished.add(payload);
    return RawValue.fromPayload(payload);
  }

  #skipFinished(codec: PayloadCodec): PayloadCodec {
    return {
      encode: async (payloads, context) =>
        payloads.length > 0 && payloads.every((payload) => this.#finished.has(payload))
          ? payloads
          : codec.encode(payloads, context),
      decode: (payloads, context) => codec.decode(payloads, context),
    };
  }
}

/** A custom converter may not pass on a finished payload: its results are left to the SDK. */
function takesPayloads(converter: PayloadConverter): boolean {
  const payload: Payload = { metadata: {}, data: new Uint8Array() };
  try {
    return converter.toPayload(RawValue.fromPayload(payload)) === payload;
  } catch {
    return false;
  }
}

/** The SDK reads an input before its activity begins, without heartbeats: the server would give the attempt up. */
function limitReads(driver: StorageDriver, withinMs: number): StorageDriver {
  return {
    name: driver.name,
    type: driver.type,
    store: (context, payloads) => driver.store(context, payloads),
    retrieve: (context, claims) =>
      withTimeout(withinMs, context.abortSignal, (abortSignal, isTimeUp) =>
        orAborted(driver.retrieve({ ...context, abortSignal }, claims), abortSignal).catch((error: unknown) => {
          throw isTimeUp() ? new StorageTooSlow(driver.name, withinMs) : error;
        }),
      ),
  };
}

const METADATA_BYTES = 1_024;

const known = new WeakMap<DataConverter, ResultStorage>();

/**
 * The storage of results for a converter: the same one each time; undefined for a converter that stores nothing.
 * @param readWithinMs the time that the worker's activities have to get their input: less than their heartbeat timeout. The first
 *   call sets it
 */
export function resultStorageOf(
  converter: DataConverter | undefined,
  readWithinMs = readingTime(RECOVERY_PROFILES.standard),
): ResultStorage | undefined {
  if (!converter?.externalStorage) return undefined;
  const { externalStorage } = converter;
  const storage = known.get(converter) ?? new ResultStorage({ ...converter, externalStorage }, readWithinMs);
  known.set(converter, storage);
  // Also by the converter that comes of it: a worker's options may come round a second time.
  known.set(storage.converter, storage);
  return storage;
}
