import { Context, type Info } from '@temporalio/activity';
import {
  ApplicationFailure,
  CancelledFailure,
  type SerializationContext,
  type StorageDriverTargetInfo,
} from '@temporalio/common';
import type { LargeResult } from '../../lib/limits/large-result';
import { redact } from '../../lib/redact';
import { messageOf } from '../../lib/base/message-of';
import { MAXIMUM_OUTPUT_BYTES } from './output-size';
import { leftOfSchedule } from './schedule-time';
import { atMost, orAborted, retryUntil } from '../../lib/timeout';

export interface LargeResults {
  encode(
    result: unknown,
    place: { context: SerializationContext; target: StorageDriverTargetInfo },
  ): Promise<LargeResult | undefined>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** The time limit of one attempt: a storage that does not answer may answer the next one. */
const TRY_MS = 60_000;

/** The part of its time that an attempt reserves for returning its result: this share of it, and at most `LAST_MS`. */
const LAST_SHARE = 0.1;
const LAST_MS = 5_000;

const LASTING_FAILURES = new Set(['StoredClaimInvalid', 'InvalidStorageSettings']);

/** Milliseconds that there are for storing: `retryFor`, less where the attempt or all attempts together end sooner. */
function timeLeft(info: Info, startedAt: number): number {
  const { startToCloseTimeoutMs, retryPolicy } = info;
  const attemptMs = performance.now() - startedAt;
  const ofAttempt = (startToCloseTimeoutMs || Infinity) - attemptMs;
  const end = Math.min(ofAttempt, leftOfSchedule(info, attemptMs));
  const retryFor = Number(retryPolicy?.maximumInterval ?? Infinity);
  return Math.min(end - Math.min(LAST_MS, (startToCloseTimeoutMs || Infinity) * LAST_SHARE), retryFor);
}

/** Whether this activity itself was cancelled, and not only its worker. */
function isUnwanted(): boolean {
  const why = Context.current().cancellationDetails;
  return why !== undefined && (why.cancelRequested || why.notFound || why.timedOut || why.reset);
}

async function tryOnce(large: LargeResult, forMs: number): Promise<unknown> {
  const { cancellationSignal } = Context.current();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, cancellationSignal]);
  // Some drivers ignore their signal.
  const storing = orAborted(large.store(signal), cancellationSignal);
  try {
    return await atMost(Math.min(forMs, TRY_MS), storing, () => {
      throw new Error('the storage did not answer in time');
    });
  } finally {
    over.abort();
  }
}

function isLasting(error: unknown): boolean {
  return LASTING_FAILURES.has(String((error as { type?: unknown } | undefined)?.type));
}

/**
 * A call that was paid for is not made again because a storage is slow, away, full or read-only: its result is stored
 * while the activity still beats. Without time left, or when the worker shuts down, a result that fits into a history
 * is left there. Throws `StorageUnavailable`, permanent where waiting would not help; CancelledFailure when the run
 * does not want it any more.
 */
export async function storedResult<T>(result: T, results: LargeResults | undefined, startedAt: number): Promise<T> {
  if (!results) return result;
  const { info, cancellationSignal, log } = Context.current();
  const large = await results.encode(result, placeOf(info));
  if (!large) return result;
  const until = performance.now() + timeLeft(info, startedAt);
  const isOver = (error: unknown, pauseMs: number): boolean => {
    const isLate = cancellationSignal.aborted || performance.now() + pauseMs > until;
    if (isLate || isUnwanted() || isLasting(error)) return true;
    if (pauseMs === FIRST_PAUSE_MS) log.warn(`The storage does not take a result: ${redact(messageOf(error))}`);
    return false;
  };
  const pauses = { firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS, signal: cancellationSignal };
  try {
    return (await retryUntil(() => tryOnce(large, until - performance.now()), { ...pauses, isOver })) as T;
  } catch (error) {
    if (isUnwanted()) throw new CancelledFailure('Nobody waits for the result any more.');
    return withoutStorage(large, error) as T;
  }
}

function withoutStorage(large: LargeResult, problem: unknown): unknown {
  const why = `The storage did not take a result of ${large.bytes} bytes: ${redact(messageOf(problem))}`;
  const nonRetryable = isLasting(problem);
  if (nonRetryable || large.bytes > MAXIMUM_OUTPUT_BYTES) {
    throw ApplicationFailure.create({ type: 'StorageUnavailable', message: why, nonRetryable });
  }
  Context.current().log.warn(`${why}. It stands in the history.`);
  return large.inline();
}

function placeOf(info: Info): Parameters<LargeResults['encode']>[1] {
  const { activityId, namespace, isLocal, workflowExecution } = info;
  const ofRun = workflowExecution && { id: workflowExecution.workflowId, runId: workflowExecution.runId };
  return {
    context: {
      type: 'activity',
      namespace,
      activityId,
      isLocal,
      ...(workflowExecution && { workflowId: workflowExecution.workflowId }),
    },
    target: {
      kind: 'workflow',
      namespace,
      ...ofRun,
      ...(info.workflowType === undefined ? {} : { type: info.workflowType }),
    },
  };
}
