/** A model's circuit is open: nothing was sent. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  /** @param backInMs milliseconds after which a call may be tried again, spread so that not all come at once */
  constructor(
    model: string,
    readonly backInMs: number,
  ) {
    super(
      `The model ${model} failed again and again; it is not called for another ${(backInMs / 1_000).toFixed(1)} s.`,
    );
  }
}
