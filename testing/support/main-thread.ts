import { threadMilliseconds } from '../../src/lib/threads/thread-time';

const TICK_MS = 5;

/**
 * The longest time for which the event loop of this process did one thing, in milliseconds of a processor: what other programs, and
 * other threads, had meanwhile does not count.
 */
export class MainThreadWatch {
  longestMs = 0;
  #last = threadMilliseconds();
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick(): void {
    const now = threadMilliseconds();
    this.longestMs = Math.max(this.longestMs, now - this.#last);
    this.#last = now;
  }

  /** Ends it. */
  stop(): number {
    this.#tick();
    clearInterval(this.#timer);
    return Math.round(this.longestMs);
  }
}
