import { InvalidConfigError } from '../domain/errors/errors';
import type { Duration } from '../domain/base/duration';
import { milliseconds } from '../schemas';

/** How long a client waits. */
export interface CallOptions {
  /**
   * How long to wait for an answer: a duration such as `'30s'`, or milliseconds; at most 24 days. A call that asks several times
   * (`run` starts and waits, `history` asks for each page) waits that long each time. It ends as a `NoAnswerError`, and touches no
   * run. Default: 30 s for commands, questions, starts and lists; 10 s for `connect`; for the end of a run, none.
   */
  timeout?: Duration;
  /** Ends the waiting as a `CallAbortedError`. What was started or sent stays so; `abort` ends a run. */
  signal?: AbortSignal;
}

/** Where a run is. */
export interface RunReference {
  workflowId: string;
  runId: string;
}

export interface StartOptions extends CallOptions {
  /** Default: `reflection-`, `pipeline-`, `plan-` or `agents-`, and a random UUID. Starting the same id twice while it runs is an error. */
  workflowId?: string;
}

/** What timers take: they count milliseconds in 31 bits. */
const LONGEST_WAIT_MS = 24 * 24 * 3_600_000;

/** How long a worker or the server may take to answer, unless the caller says how long. */
export const ANSWER_MS = 30_000;

/** What takes as long as it takes. */
export const NO_LIMIT_MS = Infinity;

/** Milliseconds to wait, as options say. @throws InvalidConfigError for what is no duration, or too long */
export function timeoutOf({ timeout }: CallOptions, otherwiseMs: number): number {
  if (timeout === undefined) return otherwiseMs;
  const exact = typeof timeout === 'string' || typeof timeout === 'number' ? milliseconds(timeout) : Number.NaN;
  if (exact > 0 && exact <= LONGEST_WAIT_MS) return exact;
  const message = 'must be a duration such as "30s", or milliseconds above 0; at most 24 days';
  throw new InvalidConfigError([{ path: '/timeout', message }]);
}
