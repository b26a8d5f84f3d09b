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
