import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import { type Barrier, BARRIERS } from './barriers';
import type { Caller } from './caller';
import { pause } from './pause';
import type { Random } from './random';
import type { KillRecord } from './record';
import type { TortureWorker, WorkerFleet } from './worker-fleet';

/** Milliseconds that a barrier is waited for before another one is tried. */
const PATIENCE_MS = 15_000;

/** These block or end a worker's event loop: one worker is chosen beforehand, the others work on. */
const OF_ONE_WORKER: ReadonlySet<Barrier> = new Set(['heartbeat']);

interface Waiting {
  barrier: Barrier;
  reached(worker: TortureWorker, caller?: Caller): void;
}

/** Returns whether the server has an id of a call's response from a heartbeat, in time. */
export type UntilNoted = (caller: Caller) => Promise<boolean>;

/** Kills workers at the barriers, each as often as the others, in an order that the seed decides. */
export class Killer {
  readonly kills: KillRecord[] = [];
  /** Times that a barrier was not reached in time. */
  misses = 0;
  readonly #fleet: WorkerFleet;
  readonly #random: Random;
  readonly #queue: Barrier[] = [];
  readonly #untilNoted: UntilNoted;
  #waiting: Waiting | undefined;

  constructor(fleet: WorkerFleet, random: Random, untilNoted: UntilNoted) {
    this.#fleet = fleet;
    this.#random = random;
    this.#untilNoted = untilNoted;
  }

  /** To be told when a worker stands at a barrier. */
  onReached(worker: TortureWorker, barrier: Barrier, caller?: Caller): void {
    if (this.#waiting?.barrier === barrier) this.#waiting.reached(worker, caller);
  }

  /** To be told of each line of the ledger. */
  onEntry({ kind, caller }: LedgerEntry): void {
    const barrier = this.#waiting?.barrier;
    if (kind !== 'request' || caller === undefined || (barrier !== 'in-flight' && barrier !== 'draining')) return;
    const { worker } = JSON.parse(caller) as Caller;
    const found = this.#fleet.live.find(({ name }) => name === worker);
    if (found) this.#waiting?.reached(found);
  }

  /** Kills one worker at the next barrier and starts another one. Returns false when no worker came there in time. */
  async killOne(): Promise<boolean> {
    if (this.#queue.length === 0) this.#queue.push(...this.#random.shuffled(BARRIERS));
    const barrier = this.#queue.shift()!;
    const worker = await this.#reach(barrier);
    if (!worker) {
      this.misses += 1;
      this.#queue.push(barrier);
      return false;
    }
    const drainMs = barrier === 'draining' ? this.#random.between(20, 600) : undefined;
    if (barrier === 'in-flight') await pause(this.#random.between(0, 60));
    const times = await this.#fleet.kill(worker, drainMs);
    this.kills.push({ what: 'worker', worker: worker.name, barrier, ...times });
    this.#disarm();
    await pause(this.#random.between(0, 500));
    await this.#fleet.fill();
    return true;
  }

  async #reach(barrier: Barrier): Promise<TortureWorker | undefined> {
    const { live } = this.#fleet;
    const candidates = OF_ONE_WORKER.has(barrier) ? [this.#random.pick(live)] : [...live];
    const found = await new Promise<{ worker: TortureWorker; caller?: Caller } | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
      const reached = (worker: TortureWorker, caller?: Caller): void => {
        clearTimeout(timer);
        resolve({ worker, ...(caller ? { caller } : {}) });
      };
      this.#waiting = { barrier, reached };
      for (const candidate of candidates) this.#fleet.order(candidate, { kind: 'arm', barrier });
    });
    this.#waiting = undefined;
    const isThere =
      found && (barrier !== 'background-noted' || (found.caller && (await this.#untilNoted(found.caller))));
    if (isThere) return found.worker;
    this.#disarm();
    return undefined;
  }

  #disarm(): void {
    for (const worker of this.#fleet.live) this.#fleet.order(worker, { kind: 'disarm' });
  }
}
