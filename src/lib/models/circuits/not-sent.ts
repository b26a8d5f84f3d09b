/** A call that was not sent, and is not before some time has passed. */
class NotSentError extends Error {
  /** @param backInMs milliseconds after which a call may be tried again, spread so that not all come at once */
  constructor(
    why: string,
    readonly backInMs: number,
  ) {
    super(`${why}; it is not called for another ${(backInMs / 1_000).toFixed(1)} s.`);
  }
}

export class CircuitOpenError extends NotSentError {
  override readonly name = 'CircuitOpenError';

  constructor(model: string, backInMs: number) {
    super(`The model ${model} failed again and again`, backInMs);
  }
}

/** A provider asked to be left alone, and the time is not over: nothing was sent. */
export class EndpointHeldError extends NotSentError {
  override readonly name = 'EndpointHeldError';

  constructor(model: string, backInMs: number) {
    super(`The provider of ${model} asked to be left alone`, backInMs);
  }
}

/** The limits of this worker for an endpoint are reached: nothing was sent. */
export class EndpointBusyError extends NotSentError {
  override readonly name = 'EndpointBusyError';

  constructor(model: string, backInMs: number) {
    super(`This worker's limits for the endpoint of ${model} are reached`, backInMs);
  }
}

export function wasNotSent(error: unknown): boolean {
  return error instanceof NotSentError;
}

const waits = new WeakMap<object, number>();

/** Notes that a call's failure left the circuit open, and after how many milliseconds it is worth trying again. */
export function noteWait(error: unknown, backInMs: number): void {
  if (typeof error === 'object' && error !== null) waits.set(error, backInMs);
}

/** Milliseconds until a circuit, or the failure of another call, allows a call again; undefined for now. */
export function circuitWaitOf(error: unknown): number | undefined {
  if (error instanceof NotSentError) return error.backInMs;
  return typeof error === 'object' && error !== null ? waits.get(error) : undefined;
}
