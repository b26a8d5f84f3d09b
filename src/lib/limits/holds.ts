/** Calls that were held back are made again over this part of the time that was left, and over so many milliseconds at least. */
const SPREAD = 0.1;
const LEAST_SPREAD_MS = 250;

/** The times until which endpoints are left alone, as their Retry-After requests. */
export class Holds {
  readonly #until = new Map<string, number>();

  /**
   * @param clock milliseconds that only grow
   * @param random 0..1
   */
  constructor(
    private readonly clock: () => number,
    private readonly random: () => number,
  ) {}

  /** Notes the time that an endpoint requests. A shorter time does not end a longer one. */
  note(endpoint: string, askedMs: number): void {
    const now = this.clock();
    // Specs may name any address: those whose time is over are forgotten.
    for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other);
    this.#until.set(endpoint, Math.max(this.#until.get(endpoint) ?? 0, now + askedMs));
  }

  /**
   * Milliseconds after which an endpoint that is left alone may be called, spread so that not all come at once; undefined: it may
   * be called now.
   */
  backInMs(endpoint: string): number | undefined {
    const left = (this.#until.get(endpoint) ?? 0) - this.clock();
    return left > 0 ? left + this.random() * Math.max(left * SPREAD, LEAST_SPREAD_MS) : undefined;
  }
}
