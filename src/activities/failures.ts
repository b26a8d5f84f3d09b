import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common';
import { APIUserAbortError } from 'openai';
import { AttachmentInvalid, AttachmentMissing, AttachmentUnavailable } from '../actions/attachments';
import { boundedDetails, boundedText, FAILURE_CHARACTERS } from '../loop/evaluation/bounded';
import type { ExternalUnavailable } from '../lib/external';
import { circuitWaitOf } from '../lib/models/circuits/not-sent';
import { failureTypeOf, isError, RETRYABLE } from '../lib/models/circuits/failure-type';
import { redact } from '../lib/redact';
import { findPaid } from '../lib/models/paid';
import { ModelReplyError, StillRunningError, UnknownModelError } from '../lib/models/reply-error';
import { retryAfterMs } from '../lib/models/circuits/retry-after';
import { messageOf } from '../lib/base/message-of';

interface FailureContext {
  attempt: number;
  /** The name of the work that was done, such as `evaluate`: leads the message. */
  step?: string;
  /** Epoch milliseconds, for Retry-After dates. */
  now?: number;
  /** 0..1, for the jitter. */
  random?: () => number;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** A name that is not known costs nothing to ask for, and another worker may have been asked first. */
const LONGEST_UNKNOWN_MS = 5_000;

/** For a response that is still being made: the next attempt goes on waiting for it. */
const ASK_AGAIN_MS = 100;

/** Delays from 1 s to 30 s, less up to a quarter: runs that failed together do not come back together. */
function backoff({ attempt, random = Math.random }: FailureContext): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 16), LONGEST_DELAY_MS);
  return Math.round(delay * (1 - random() / 4));
}

/** The longest part of a longer wait by which a run may come later than asked: never earlier, and not all at once. */
const LATER = 0.1;

function retryDelay(error: Error, context: FailureContext): number {
  if (error instanceof StillRunningError) return ASK_AGAIN_MS;
  const asked = retryAfterMs(error, context.now ?? Date.now());
  // An open circuit says when, and spreads those that wait for it.
  const wait = circuitWaitOf(error);
  if (wait !== undefined) return Math.ceil(Math.max(wait, asked ?? 0));
  // A run that may come back at once, again and again, would do nothing else.
  if (!asked) return backoff(context);
  return Math.ceil(asked * (1 + LATER * (context.random ?? Math.random)()));
}

const MOST_CAUSES = 4;

function causesOf({ cause }: Error, depth = MOST_CAUSES): string[] {
  return isError(cause) && depth > 0 ? [cause.message, ...causesOf(cause, depth - 1)] : [];
}

function leadingMessage(error: Error, step: string | undefined): string {
  const [cause, ...others] = causesOf(error);
  // Of a request that was not answered, only the last cause has the reason, such as a port that is closed.
  const texts = [step, error.message, cause, others.at(-1)].filter((text) => text);
  return redact([...new Set(texts)].join(': '));
}

function cancellationOf(error: unknown): CancelledFailure | undefined {
  if (error instanceof CancelledFailure) return error;
  const aborted = error instanceof APIUserAbortError || (isError(error) && error.name === 'AbortError');
  return aborted ? new CancelledFailure('The model call was cancelled.') : undefined;
}

/** Creates a failure that no retry helps; the vendor's error is not its cause, as its stack would carry the whole message. */
export function permanentFailure(type: string, message: string, details?: unknown[]): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details, nonRetryable: true });
}

/** The worker that prepared the run knew the name: workers are being replaced, and another may take the next attempt. */
export function unknownHereFailure(
  type: 'UnknownAction' | 'UnknownModel',
  message: string,
  context: FailureContext,
): ApplicationFailure {
  const nextRetryDelay = Math.min(backoff(context), LONGEST_UNKNOWN_MS);
  return ApplicationFailure.create({
    type,
    message: `${message} (the run was prepared where it is known)`,
    nextRetryDelay,
  });
}

export function isUnknownHere(failure: unknown): boolean {
  return failure instanceof ApplicationFailure && (failure.type === 'UnknownAction' || failure.type === 'UnknownModel');
}

export function modelFailureType(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type?.replace(/^Model\./, '') ?? 'StepFailed';
  return (isError(error) ? failureTypeOf(error) : undefined) ?? 'StepFailed';
}

/**
 * The delay is never less than the provider requested. A cancellation becomes a `CancelledFailure`, which reports the
 * activity as cancelled; the vendor's own error for it would be retried.
 */
export function toApplicationFailure(error: unknown, context: FailureContext): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure) return error;
  const cancellation = cancellationOf(error);
  if (cancellation) return cancellation;
  if (!isError(error)) return permanentFailure('StepFailed', redact(messageOf(error)));
  const message = leadingMessage(error, context.step);
  if (error instanceof AttachmentInvalid) return permanentFailure('AttachmentInvalid', message);
  if (error instanceof AttachmentMissing) return permanentFailure('AttachmentMissing', message);
  if (error instanceof AttachmentUnavailable) {
    return ApplicationFailure.create({ type: 'AttachmentUnavailable', message, nextRetryDelay: backoff(context) });
  }
  if (error instanceof UnknownModelError) return unknownHereFailure('UnknownModel', message, context);
  const type = failureTypeOf(error);
  const tokenUsage = findPaid(error);
  // Workflows count what was paid for a call that failed.
  const details = tokenUsage && [{ tokenUsage }];
  if (!type) return permanentFailure('StepFailed', message, details);
  const isFinal = !RETRYABLE[type] || (error instanceof ModelReplyError && error.isFinal);
  if (isFinal) return permanentFailure(`Model.${type}`, message, details);
  const nextRetryDelay = retryDelay(error, context);
  // The circuit reports an outage once for all calls: Temporal's SDK logs each of the others as a warning.
  const category = circuitWaitOf(error) === undefined ? undefined : ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type: `Model.${type}`, message, nextRetryDelay, details, category });
}

/** The failure of an external evaluator that is away: it is tried again until `retryFor` has passed. */
export function unavailableFailure(
  { message, retryAfterMs: asked = 0 }: ExternalUnavailable,
  attempt: number,
): ApplicationFailure {
  const nextRetryDelay = Math.max(asked, backoff({ attempt }));
  return ApplicationFailure.create({ type: 'ExternalUnavailable', message: redact(message), nextRetryDelay });
}

/** Bounds a failure so that it fits into a history: a thrown error may carry anything. */
export function boundedFailure(error: unknown): unknown {
  if (!(error instanceof ApplicationFailure)) return error;
  const { message, type, nonRetryable, nextRetryDelay, category, cause } = error;
  const details = boundedDetails(error.details ?? []);
  const isWithin = message.length <= FAILURE_CHARACTERS && details[0] === error.details?.[0];
  if (isWithin) return error;
  return ApplicationFailure.create({
    message: boundedText(message, FAILURE_CHARACTERS),
    details,
    type: type ?? undefined,
    nonRetryable: nonRetryable ?? undefined,
    nextRetryDelay: nextRetryDelay ?? undefined,
    category: category ?? undefined,
    cause: cause && (boundedFailure(cause) as Error),
  });
}
