/** A provider asked to be left alone, and the time is not over: nothing was sent. */
export class EndpointHeldError extends Error {
  override readonly name = 'EndpointHeldError';

  /** @param backInMs milliseconds after which a call may be tried again, spread so that not all come at once */
  constructor(
    model: string,
    readonly backInMs: number,
  ) {
    super(
      `The provider of ${model} asked to be left alone; it is not called for another ${(backInMs / 1_000).toFixed(1)} s.`,
    );
  }
}

/** Those who were held come back over this part of the time that was left, and over so many milliseconds at least. */
const SPREAD = 0.1;
const LEAST_SPREAD_MS = 250;

/** Until when each model of each endpoint is left alone, because a provider's Retry-After asked for it. */
export class Holds {
  readonly #until = new Map<string, number>();

  constructor(
    private readonly clock: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Notes what a provider asked for. A shorter time does not end a longer one. */
  note(key: string, askedMs: number): void {
    this.#until.set(key, Math.max(this.#until.get(key) ?? 0, this.clock() + askedMs));
  }

  /** @throws EndpointHeldError while the model is left alone */
  assertFree(key: string, model: string): void {
    const left = (this.#until.get(key) ?? 0) - this.clock();
    if (left > 0) throw new EndpointHeldError(model, left + this.random() * Math.max(left * SPREAD, LEAST_SPREAD_MS));
    this.#until.delete(key);
  }
}
