import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Payload,
  StorageDriver,
  StorageDriverClaim,
  StorageDriverRetrieveContext,
  StorageDriverStoreContext,
} from '@temporalio/common';

/** What goes wrong with a write. */
export interface Fault {
  /** Milliseconds that it takes. */
  delayMs?: number;
  /** Code of the error that it ends with. */
  code?: string;
  /** It never ends. */
  hangs?: true;
}

/** A storage that really stores, in front of which there is what happens to storages. */
export class StorageWithFaults implements StorageDriver {
  readonly name = 'with-faults';
  readonly type = 'test.with-faults';
  /** Of the next writes; asked for each. */
  fault: () => Fault = () => ({});
  writes = 0;
  /** Milliseconds that a read of what a write brought takes; asked for each. Writes count from 1. */
  readDelay: (write: number) => number = () => 0;
  /** Of each read, which write brought it. */
  readonly reads: number[] = [];
  readonly #written = new Map<string, number>();

  constructor(private readonly behind: StorageDriver) {}

  async store(context: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    this.writes += 1;
    const { delayMs = 0, code, hangs } = this.fault();
    if (hangs) return new Promise(() => undefined);
    await sleep(delayMs);
    if (code !== undefined) throw Object.assign(new Error(`${code}: the storage refuses`), { code });
    const write = this.writes;
    const claims = await this.behind.store(context, payloads);
    for (const { claimData } of claims) this.#written.set(JSON.stringify(claimData), write);
    return claims;
  }

  async retrieve(context: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    const writes = claims.map(({ claimData }) => this.#written.get(JSON.stringify(claimData)) ?? 0);
    this.reads.push(...writes);
    await sleep(Math.max(0, ...writes.map((write) => this.readDelay(write))));
    return this.behind.retrieve(context, claims);
  }
}
