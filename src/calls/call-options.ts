import type { WorkflowOptions } from '@temporalio/client';
import { InvalidConfigError } from '../loop/errors/errors';
import { type Duration, milliseconds } from '../lib/contract/values';

/** How long a client waits for an answer. */
export interface CallOptions {
  /**
   * How long to wait for an answer: a duration such as `'30s'`, or milliseconds; at most 24 days. A method that makes
   * several requests (`run` starts and waits, `history` requests each page) waits that long for each. After that it
   * throws `NoAnswerError`; the run is not affected. Default: 30 s for commands, queries, starts and lists; 10 s for
   * `connect`; no limit for the end of a run.
   */
  timeout?: Duration;
  /**
   * Aborts the waiting with a `CallAbortedError`. A run that was started or a command that was sent is not affected;
   * `abort` ends a run.
   */
  signal?: AbortSignal;
}

/** How long a client waits for the end of a run. */
export interface WaitOptions extends CallOptions {
  /**
   * The fate of the run when `signal` ends the waiting for its result. `abort`: it is aborted, also by a start that the signal
   * interrupts, so that nothing more is paid for a caller that went away; the call waits until the server has the command, which
   * needs no worker. `leave`: it goes on. Default: `leave`.
   */
  onAbort?: 'abort' | 'leave';
}

/** Identifies a run. */
export interface RunReference {
  workflowId: string;
  runId: string;
}

/**
 * The options of a start that Temporal's own client takes. `retry` and `cronSchedule` are left out: a loop retries its calls
 * itself, and a run that is started again pays for all of them again. Use a Temporal schedule for runs at intervals.
 */
type TemporalStartOptions = Partial<
  Pick<
    WorkflowOptions,
    | 'workflowIdReusePolicy'
    | 'workflowIdConflictPolicy'
    | 'memo'
    | 'typedSearchAttributes'
    | 'priority'
    | 'startDelay'
    | 'workflowExecutionTimeout'
    | 'workflowRunTimeout'
    | 'workflowTaskTimeout'
    | 'versioningOverride'
    | 'staticSummary'
    | 'staticDetails'
  >
>;

export interface StartOptions extends CallOptions, TemporalStartOptions {
  /**
   * Default: the `name` of the spec, or the kind of run (`reflection` for a loop), and 14 random letters. If a run with this
   * id has not ended, starting fails with AlreadyRunningError, unless `workflowIdConflictPolicy` says otherwise.
   */
  workflowId?: string;
  /** Default: the client's task queue. */
  taskQueue?: string;
}

/** The options of a start whose result is waited for. */
export interface RunOptions extends StartOptions, WaitOptions {}

/** The options of a start that decides about ids itself. */
export type OnceOptions = Omit<StartOptions, 'workflowId' | 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;

/** The maximum of timers: they count milliseconds in 31 bits. */
const LONGEST_WAIT_MS = 24 * 24 * 3_600_000;

/** How long a worker or the server may take to answer by default. */
export const ANSWER_MS = 30_000;

/** For the end of a run, which has no time limit. */
export const NO_LIMIT_MS = Infinity;

/** The milliseconds to wait that the options name. Throws InvalidConfigError if `timeout` is not a duration, or too long. */
export function timeoutOf({ timeout }: CallOptions, otherwiseMs: number): number {
  if (timeout === undefined) return otherwiseMs;
  const exact = typeof timeout === 'string' || typeof timeout === 'number' ? milliseconds(timeout) : Number.NaN;
  if (exact > 0 && exact <= LONGEST_WAIT_MS) return exact;
  const message = 'must be a duration such as "30s", or milliseconds above 0; at most 24 days';
  throw new InvalidConfigError([{ path: '/timeout', message }]);
}
