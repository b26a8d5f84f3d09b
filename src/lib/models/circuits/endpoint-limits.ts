import { EndpointBusyError } from './not-sent';

/** The limits of the calls from a worker process to one endpoint, whatever the model. */
export interface EndpointLimits {
  /** Calls that begin in a second. As many may begin at once. Default: no limit. */
  callsPerSecond?: number;
  /** Calls under way at a time. Default: no limit. */
  concurrentCalls?: number;
}

/** The time after which a call that found all places taken is tried again, in milliseconds: half as long again at most. */
const TAKEN_MS = 1_000;

interface Use {
  running: number;
  /** The time at which the next call would begin if calls were evenly spread, in milliseconds. */
  evenlyAt: number;
}

/**
 * Keeps calls within the limits of their endpoints. A call that is beyond them is not sent and says when it is worth trying: it
 * waits at Temporal, where it takes no place of this worker. Rates by the generic cell rate algorithm (ITU-T I.371).
 */
export class EndpointGate {
  readonly #uses = new Map<string, Use>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Takes a place for one call.
   * @returns how the place is given back; with false where nothing was sent after all, so that the call does not count
   * @throws EndpointBusyError
   */
  enter(
    endpoint: string,
    model: string,
    { callsPerSecond, concurrentCalls }: EndpointLimits,
  ): (wasSent: boolean) => void {
    const use = this.#uses.get(endpoint) ?? { running: 0, evenlyAt: 0 };
    this.#uses.set(endpoint, use);
    if (concurrentCalls !== undefined && use.running >= concurrentCalls)
      throw new EndpointBusyError(model, TAKEN_MS * (1 + this.random() / 2));
    if (callsPerSecond !== undefined) this.#keepRate(use, model, callsPerSecond);
    use.running += 1;
    return (wasSent) => {
      use.running -= 1;
      if (!wasSent && callsPerSecond !== undefined) use.evenlyAt -= 1_000 / callsPerSecond;
    };
  }

  #keepRate(use: Use, model: string, callsPerSecond: number): void {
    const now = this.now();
    const apart = 1_000 / callsPerSecond;
    // As many as a second has may begin together; one, where a second has less than one.
    const ahead = Math.max(0, 1_000 - apart);
    const evenlyAt = Math.max(use.evenlyAt, now);
    const wait = evenlyAt - ahead - now;
    if (wait > 0) throw new EndpointBusyError(model, wait + apart * this.random());
    use.evenlyAt = evenlyAt + apart;
  }
}
