import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  type IBackoff,
  isBrokenCircuitError,
} from 'cockatiel';
import { omitUndefined } from '../../base/defined';
import { CircuitOpenError, noteWait } from './not-sent';
import { failureTypeOf, isError, type ModelFailureType } from './failure-type';
import { ModelReplyError, StillRunningError } from '../reply-error';
import { retryAfterMs } from './retry-after';
import { ReturnTimes } from './return-times';

/** The conditions under which a model's circuit opens, and for how long. */
export interface CircuitOptions {
  /** Number of failed calls in a row that opens the circuit. Default 5. */
  failures?: number;
  /** Milliseconds until a trial call is made; longer if the provider's Retry-After asks for more. Default 10,000. */
  openMs?: number;
}

/** The state of a model's circuit. */
export interface CircuitStatus {
  /** The endpoint, without secrets. */
  provider: string;
  /** The provider's name of the model. */
  model: string;
  /** `half-open`: a trial call is in flight. */
  state: 'closed' | 'open' | 'half-open';
  /** Failed calls in a row. */
  failures: number;
  /** The number of times that it opened since the worker started. */
  opened: number;
  /** Epoch milliseconds of the next trial call; only while the circuit is open. */
  until?: number;
  /** The failure type of the contract, without `Model.`, that was counted last. */
  lastFailure?: ModelFailureType;
}

export const CIRCUIT_DEFAULTS: Required<CircuitOptions> = { failures: 5, openMs: 10_000 };

/** Failures that say that the model is down. Others are about one request, or come from a provider that is well. */
const DOWN: readonly ModelFailureType[] = ['Unavailable', 'Timeout', 'Interrupted'];

/** The growing intervals between trials in a long outage: after the second failed trial by half as much again each time. */
const RARER = { factor: 1.5, from: 2, longestMs: 30_000 };

/** Milliseconds after which a failure belongs to no outage any more, while the circuit is closed and there are no calls. */
const FORGOTTEN_MS = 300_000;

/** `rejected`: the provider is there, and did not take this request. */
type Outcome<T> = { kind: 'answered'; value: T } | { kind: 'failed' | 'rejected'; error: unknown };

function isDown(error: unknown, type: ModelFailureType | undefined): boolean {
  // A provider that says that it is still working, or that it broke a reply off, is not down.
  const isThere = error instanceof StillRunningError || (error instanceof ModelReplyError && error.isBrokenOff);
  return type !== undefined && DOWN.includes(type) && !isThere;
}

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
} as const;

/** The circuit of one model of one provider. While it is open nothing is sent; then one call at a time tries again. */
export class ModelCircuit {
  readonly #breaker: ConsecutiveBreaker;
  readonly #policy: CircuitBreakerPolicy;
  readonly #returns: ReturnTimes;
  #until = 0;
  #opened = 0;
  #failedTrials = 0;
  #triedAt = 0;
  #failingSince: number | undefined;
  #failedAt = 0;
  #lastFailure: ModelFailureType | undefined;

  constructor(
    private readonly names: { provider: string; model: string },
    private readonly options: Required<CircuitOptions>,
    private readonly onChange: (status: CircuitStatus) => void = () => undefined,
    random: () => number = Math.random,
  ) {
    this.#returns = new ReturnTimes(random);
    this.#breaker = new ConsecutiveBreaker(options.failures);
    this.#policy = circuitBreaker(
      handleWhenResult((outcome) => (outcome as Outcome<unknown>).kind === 'failed'),
      { breaker: this.#breaker, halfOpenAfter: { next: ({ result }) => this.#window(result) } },
    );
    this.#policy.onStateChange(() => this.onChange(this.status));
    this.#policy.onBreak(() => {
      this.#opened += 1;
    });
  }

  get status(): CircuitStatus {
    const state = STATES[this.#policy.state];
    return omitUndefined({
      ...this.names,
      state,
      failures: this.#breaker.state,
      opened: this.#opened,
      until: state === 'open' ? this.#until : undefined,
      lastFailure: this.#lastFailure,
    });
  }

  /** Makes a call. Throws CircuitOpenError at once if the circuit is open; nothing is sent then. */
  async call<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { state } = this.#policy;
    const now = Date.now();
    // Without this, calls that arrive while one call is trying would wait for it, and then all be sent at once.
    if (state === CircuitState.HalfOpen) throw this.#turnAway();
    if (state === CircuitState.Open && now < this.#until) throw this.#turnAway();
    const probe = state === CircuitState.Open;
    if (probe) this.#triedAt = now;
    try {
      const outcome = await this.#policy.execute(() => this.#outcomeOf(signal, probe, work));
      if (outcome.kind === 'answered') return outcome.value;
      if (outcome.kind === 'failed') this.#noteWait(outcome.error);
      throw outcome.error;
    } catch (error) {
      throw isBrokenCircuitError(error) ? this.#turnAway() : error;
    }
  }

  /** Returns the evidence of a call about the model; throws when there is none, which changes nothing. */
  async #outcomeOf<T>(signal: AbortSignal, probe: boolean, work: () => Promise<T>): Promise<Outcome<T>> {
    try {
      const value = await work();
      this.#isWell();
      return { kind: 'answered', value };
    } catch (error) {
      const type = isError(error) ? failureTypeOf(error) : undefined;
      // Cancelled, or rate-limited: no sign of an outage, and no sign that an outage is over.
      const saysNothing = signal.aborted || type === 'RateLimited';
      if (saysNothing && !probe) throw error;
      if (!saysNothing && !isDown(error, type)) {
        this.#isWell();
        return { kind: 'rejected', error };
      }
      this.#noteFailure();
      if (type !== undefined) this.#lastFailure = type;
      return { kind: 'failed', error };
    }
  }

  #noteFailure(): void {
    const now = Date.now();
    const isForgotten = this.#policy.state === CircuitState.Closed && now - this.#failedAt > FORGOTTEN_MS;
    if (this.#failingSince === undefined || isForgotten) this.#failingSince = now;
    this.#failedAt = now;
  }

  /** The call's own backoff counts attempts that were turned away, and would wait long after the model is back. */
  #noteWait(error: unknown): void {
    const isOpen = this.#policy.state === CircuitState.Open && this.#until > Date.now();
    if (isOpen) noteWait(error, this.#backInMs());
  }

  #isWell(): void {
    this.#failingSince = undefined;
    this.#failedTrials = 0;
    this.#returns.clear();
  }

  #backInMs(): number {
    const now = Date.now();
    const sinceMs = now - (this.#failingSince ?? now);
    return this.#returns.next(now, { sinceMs, closedForMs: this.#until - now, openMs: this.options.openMs });
  }

  #turnAway(): CircuitOpenError {
    return new CircuitOpenError(this.names.model, this.#backInMs());
  }

  #window(result: unknown): IBackoff<{ result: unknown }> {
    const outcome = (result as { value?: Outcome<unknown> }).value;
    const asked = outcome && 'error' in outcome ? retryAfterMs(outcome.error, Date.now()) : undefined;
    const duration = Math.max(this.#ownWindow(), asked ?? 0);
    this.#until = Date.now() + duration;
    return { duration, next: (context) => this.#window(context.result) };
  }

  /** Returns the milliseconds until the next trial: from the beginning of the one before, which may have taken long. */
  #ownWindow(): number {
    const { openMs } = this.options;
    const longest = Math.max(openMs, RARER.longestMs);
    const window = Math.min(openMs * RARER.factor ** Math.max(0, this.#failedTrials - RARER.from), longest);
    const since = this.#failedTrials === 0 ? 0 : Date.now() - this.#triedAt;
    this.#failedTrials += 1;
    return Math.max(openMs, window - since);
  }
}
