import {
  ExternalStorage,
  type Payload,
  type StorageDriver,
  type StorageDriverClaim,
  type StorageDriverRetrieveContext,
  type StorageDriverStoreContext,
} from '@temporalio/common';
import { withTimeout, atMost, orAborted } from '../timeout';
import { StorageTooSlow } from './errors';

/** The time after which a read is given up; the next request begins it anew. */
const LONGEST_READ_MS = 5 * 60_000;
/** For how long what was read too late is kept for the next attempt, and how many bytes of it. */
const KEPT_MS = 5 * 60_000;
const KEPT_BYTES = 64 * 1_024 * 1_024;

/** A read under way, or one that ended when no caller waited for it any more. */
interface Reading {
  payload: Promise<Payload>;
  /** The size of the payload; undefined while it is being read. */
  bytes?: number;
  /** The number of callers that wait for it now. */
  waiting: number;
  /** Forgets the read: one that hangs, or whose payload no caller requests again. */
  timer: NodeJS.Timeout;
}

/**
 * A driver that answers within a time, and which loses nothing of a longer read: the next caller that requests the same gets what
 * this one was reading.
 *
 * The SDK reads the input of an activity before the activity begins, so nothing beats meanwhile. An attempt whose input takes
 * longer than the heartbeat timeout is given up by the server; its work would begin nevertheless, and pay for a call whose result
 * is not used. Ended in time it is tried again, and goes on with what has been read.
 */
class SharedRetrieval implements StorageDriver {
  readonly name: string;
  readonly type: string;
  readonly #readings = new Map<string, Reading>();

  constructor(
    private readonly behind: StorageDriver,
    private readonly withinMs: number,
  ) {
    this.name = behind.name;
    this.type = behind.type;
  }

  store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    return this.behind.store(context, payloads);
  }

  /** @throws StorageTooSlow, and whatever the wrapped driver throws */
  async retrieve({ abortSignal }: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    this.#read(claims.filter((claim) => !this.#readings.has(keyOf(claim))));
    const readings = claims.map((claim) => [keyOf(claim), this.#readings.get(keyOf(claim))!] as const);
    for (const [, reading] of readings) reading.waiting += 1;
    let isTaken = false;
    try {
      const payloads = await this.#inTime(Promise.all(readings.map(([, { payload }]) => payload)), abortSignal);
      isTaken = true;
      return payloads;
    } finally {
      for (const [key, reading] of readings) {
        reading.waiting -= 1;
        // A caller that shares it has the promise.
        if (isTaken) this.#forget(key, reading);
        else this.#keep(key, reading);
      }
    }
  }

  #read(claims: StorageDriverClaim[]): void {
    if (claims.length === 0) return;
    const all = withTimeout(LONGEST_READ_MS, undefined, async (abortSignal) =>
      this.behind.retrieve({ abortSignal }, claims),
    );
    for (const [index, claim] of claims.entries()) {
      const key = keyOf(claim);
      const forget = (): void => this.#forget(key, reading);
      const reading: Reading = {
        payload: all.then((payloads) => payloads[index]!),
        waiting: 0,
        timer: setTimeout(forget, LONGEST_READ_MS).unref(),
      };
      this.#readings.set(key, reading);
      reading.payload.then(({ data }) => {
        reading.bytes = data?.length ?? 0;
        this.#keep(key, reading);
      }, forget);
    }
  }

  #forget(key: string, reading: Reading): void {
    clearTimeout(reading.timer);
    if (this.#readings.get(key) === reading) this.#readings.delete(key);
  }

  /** Keeps a payload that no caller waits for any more, for the next caller. */
  #keep(key: string, reading: Reading): void {
    if (reading.bytes === undefined || reading.waiting > 0 || this.#readings.get(key) !== reading) return;
    clearTimeout(reading.timer);
    reading.timer = setTimeout(() => this.#forget(key, reading), KEPT_MS).unref();
    this.#makeRoom();
  }

  /** Forgets the oldest readings until the rest has room. */
  #makeRoom(): void {
    let bytes = [...this.#readings.values()].reduce((sum, reading) => sum + (reading.bytes ?? 0), 0);
    for (const [key, reading] of this.#readings) {
      if (bytes <= KEPT_BYTES) return;
      if (reading.bytes === undefined || reading.waiting > 0) continue;
      bytes -= reading.bytes;
      this.#forget(key, reading);
    }
  }

  #inTime<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return atMost(this.withinMs, signal ? orAborted(work, signal) : work, () => {
      throw new StorageTooSlow(this.name, this.withinMs);
    });
  }
}

function keyOf({ claimData }: StorageDriverClaim): string {
  return JSON.stringify(claimData);
}

/** Returns a storage that answers within so many milliseconds, or fails with `StorageTooSlow` and goes on reading. */
export function withSharedRetrieval(storage: ExternalStorage, withinMs: number): ExternalStorage {
  const { drivers, driverSelector, payloadSizeThreshold } = storage;
  const shared = new Map(drivers.map((driver) => [driver, new SharedRetrieval(driver, withinMs)]));
  return new ExternalStorage({
    drivers: [...shared.values()],
    payloadSizeThreshold,
    driverSelector: (context, payload) => {
      const selected = driverSelector(context, payload);
      return selected && (shared.get(selected) ?? selected);
    },
  });
}
