import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import { localElapsed } from './schedule-time';
import { LOCAL_TIME_IS_UP } from '../../lib/base/timed-result';

export type RetriedCall = Pick<
  Info,
  | 'attempt'
  | 'isLocal'
  | 'heartbeatDetails'
  | 'heartbeatTimeoutMs'
  | 'startToCloseTimeoutMs'
  | 'retryPolicy'
  | 'scheduledTimestampMs'
  | 'scheduleToCloseTimeoutMs'
>;

export interface RetryNote {
  attempt: number;
  /** Milliseconds between the end of the first failed attempt and the end of this one, without waits for a worker. */
  ms: number;
}

/** Milliseconds that must be left for a last attempt to be waited for while a circuit is open. */
const LAST_WAIT_MS = 30_000;

function usualDelay(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt - 1, 16), 30_000);
}

export interface RetryDetails {
  retried?: RetryNote;
  /** Attempts before this one that were left before anything was begun. */
  skipped?: number;
}

function noteOf({ heartbeatDetails }: RetriedCall): RetryNote | undefined {
  const { retried } = (heartbeatDetails ?? {}) as RetryDetails;
  return retried;
}

/**
 * Counts attempts and the delays after them, not the time for which no worker took the call. Each attempt measures
 * itself and informs the next by its heartbeat: clocks of two machines are never compared. One that was lost without a
 * word counts as the heartbeat timeout.
 */
export class RetryTime {
  readonly #started: number;
  readonly #before: number;
  readonly #retryFor: number;
  readonly #lostMs: number;
  readonly #skipped: number;
  readonly #localMs: number;

  constructor(
    private readonly call: RetriedCall,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#started = clock();
    const { maximumInterval } = call.retryPolicy ?? {};
    // Workflows set the longest interval to `retryFor`: see `retriesFor`.
    this.#retryFor = typeof maximumInterval === 'number' && !call.isLocal ? maximumInterval : Infinity;
    // A local call waits for no worker, and has a time for all of its attempts. Temporal's core does not end a call whose
    // time is over while it waits for its next attempt, and tries it again without an end.
    this.#localMs = (call.isLocal && call.scheduleToCloseTimeoutMs) || Infinity;
    this.#lostMs = call.heartbeatTimeoutMs ?? call.startToCloseTimeoutMs;
    this.#skipped = (call.heartbeatDetails as RetryDetails | undefined)?.skipped ?? 0;
    const note = noteOf(call) ?? { attempt: 1, ms: 0 };
    this.#before = note.ms + Math.max(0, call.attempt - 1 - note.attempt) * this.#lostMs;
  }

  get attemptMs(): number {
    return this.clock() - this.#started;
  }

  /** Milliseconds for which attempts failed, if this one fails now. */
  get #elapsed(): number {
    return this.call.attempt === 1 ? 0 : this.#before + this.attemptMs;
  }

  get #localElapsed(): number {
    return localElapsed(this.call, this.attemptMs);
  }

  allows(delayMs: number): boolean {
    return this.#elapsed + delayMs <= this.#retryFor && this.#localElapsed + delayMs < this.#localMs;
  }

  /** Throws where attempts were lost for so long that this one must not be made: what they do may end its worker. */
  assertLeft(type: string): void {
    const { attempt, isLocal } = this.call;
    const isLeft = isLocal ? this.#localElapsed < this.#localMs : this.#before <= this.#retryFor;
    if (attempt === 1 || isLeft) return;
    const seconds = Math.round((isLocal ? this.#localElapsed : this.#before) / 1_000);
    const message = `No attempt came to an end within ${seconds} s: the worker ended during each, or the work never did.`;
    throw this.#createFinalFailure({ type, message });
  }

  /** The type says that the time of a local activity is over, as the server says of other activities. */
  #createFinalFailure(failure: { type?: string; message: string; details?: unknown[] }): ApplicationFailure {
    const ended = ApplicationFailure.create({ ...failure, nonRetryable: true });
    if (!this.call.isLocal) return ended;
    return ApplicationFailure.create({
      type: LOCAL_TIME_IS_UP,
      message: ended.message,
      nonRetryable: true,
      cause: ended,
    });
  }

  /** The details for heartbeats, which count if this attempt is lost. The first attempt to fail counts nothing. */
  details(): RetryDetails {
    const { attempt } = this.call;
    return attempt === 1 ? {} : { retried: { attempt, ms: Math.ceil(this.#elapsed + this.#lostMs) } };
  }

  /** The details for the next attempt if this one was not made: that no time was lost. */
  detailsIfUnspent(): RetryDetails {
    return { retried: { attempt: this.call.attempt, ms: this.#before }, ...this.detailsIfSkipped() };
  }

  /** The details for the next attempt if nothing was begun, and time was lost nevertheless. */
  detailsIfSkipped(): RetryDetails {
    return { skipped: this.#skipped + 1 };
  }

  /** From 1: which attempt this is of those that began something, or may have. */
  get begun(): number {
    return this.call.attempt - this.#skipped;
  }

  /** The wait for an open circuit, which is long in a long outage: the rest of the time is used for a last attempt. */
  #withinLast(delayMs: number): number {
    const left = Math.floor(this.#retryFor - this.#elapsed);
    return delayMs > left && left >= LAST_WAIT_MS ? left : delayMs;
  }

  /** Permanent if the next attempt would come after `retryFor`, else with the delay before it, and details for the last heartbeat. */
  limitFailure(failure: unknown): { failure: unknown; details?: RetryDetails } {
    if (!(failure instanceof ApplicationFailure) || failure.nonRetryable) return { failure };
    const { message, type, details, cause, nextRetryDelay, category } = failure;
    const { attempt } = this.call;
    const asked = nextRetryDelay == null ? usualDelay(attempt) : msToNumber(nextRetryDelay);
    const delay = type === 'Model.CircuitOpen' ? this.#withinLast(asked) : asked;
    const again = this.allows(delay);
    const common = { message, type: type ?? undefined, details: details ?? undefined };
    if (!again) return { failure: this.#createFinalFailure(common) };
    return {
      failure: ApplicationFailure.create({
        ...common,
        ...(cause ? { cause } : {}),
        category: category ?? undefined,
        nextRetryDelay: delay,
      }),
      details: { retried: { attempt, ms: Math.ceil(this.#elapsed + delay) } },
    };
  }
}
