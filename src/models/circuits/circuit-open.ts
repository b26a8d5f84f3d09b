import { EndpointHeldError } from './endpoint-held';

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

const waits = new WeakMap<object, number>();

/** Notes that a call's failure left the circuit open, and after how many milliseconds it is worth trying again. */
export function noteWait(error: unknown, backInMs: number): void {
  if (typeof error === 'object' && error !== null) waits.set(error, backInMs);
}

/** Milliseconds until a call may be tried again, where a circuit decides that, or what another call was told; undefined where none does. */
export function circuitWaitOf(error: Error): number | undefined {
  return error instanceof CircuitOpenError || error instanceof EndpointHeldError ? error.backInMs : waits.get(error);
}
