const TICK_MS = 250;

/** A stall counts as present for so long after its end, so that a probe that comes later still sees it. */
const REMEMBERED_MS = 10_000;

/** Notices when the event loop is blocked: then no heartbeat is sent, and the server takes the worker for dead. */
export class EventLoopWatch {
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();
  #stalls: { at: number; ms: number }[] = [];

  constructor() {
    this.#timer = setInterval(() => this.#measureDelay(), TICK_MS);
    this.#timer.unref();
  }

  /** Returns the longest stall of the last ten seconds, in milliseconds. */
  longestStall(): number {
    this.#measureDelay();
    return Math.max(0, ...this.#stalls.map(({ ms }) => ms));
  }

  /**
   * The longest time between two looks at the loop, of those that ended since, in milliseconds.
   * @param since by `performance.now()`, ten seconds ago at most
   */
  longestPauseSince(since: number): number {
    this.#measureDelay();
    return Math.max(0, ...this.#stalls.map(({ at, ms }) => (at >= since ? ms + TICK_MS : 0)));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #measureDelay(): void {
    const now = performance.now();
    const late = now - this.#last - TICK_MS;
    this.#last = now;
    this.#stalls = this.#stalls.filter(({ at }) => now - at < REMEMBERED_MS);
    if (late > TICK_MS) this.#stalls.push({ at: now, ms: late });
  }
}
