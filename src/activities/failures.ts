import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { MissingKeyError, ModelReplyError, UnknownModelError } from '../models/reply-error';
import { redact } from '../models/redact';

/** The failure types of model calls, with whether trying again can help. */
const RETRYABLE = {
  Refused: false,
  Filtered: false,
  ContextLength: false,
  Unauthorized: false,
  QuotaExhausted: false,
  BadRequest: false,
  NotFound: false,
  RateLimited: true,
  Unavailable: true,
  Timeout: true,
  Interrupted: true,
  Empty: true,
  CircuitOpen: true,
} as const;
export type ModelFailureType = keyof typeof RETRYABLE;

export interface FailureContext {
  /** Attempt of the activity, from 1. */
  attempt: number;
  /** What was being done, such as `evaluate`: leads the message. */
  step?: string;
  /** Epoch milliseconds, for Retry-After dates. */
  now?: number;
  /** 0..1, for the jitter. */
  random?: () => number;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Exponential from 1 s to 30 s, less up to a quarter, so that runs that failed together do not come back together. */
function backoff({ attempt, random = Math.random }: FailureContext): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 16), LONGEST_DELAY_MS);
  return Math.round(delay * (1 - random() / 4));
}

/** What the provider asks us to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
function askedToWait(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number.parseFloat(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The longest part of a longer wait by which a run may come later than asked: never earlier, and not all at once. */
const LATER = 0.1;

function retryDelay(headers: Headers | undefined, context: FailureContext): number {
  const asked = askedToWait(headers, context.now ?? Date.now());
  // Told to come back at once, again and again, a run would do nothing else.
  if (!asked) return backoff(context);
  return Math.ceil(asked * (1 + LATER * (context.random ?? Math.random)()));
}

/** What an error is about, whatever its status: gateways and streams send errors without one. */
function typeOfCode(error: APIError): ModelFailureType | undefined {
  const about = `${error.code ?? ''} ${error.type ?? ''}`;
  if (/insufficient_quota|billing/.test(about)) return 'QuotaExhausted';
  if (/content_filter|content_policy/.test(about)) return 'Filtered';
  if (/context_length|context_size/.test(about)) return 'ContextLength';
  if (/rate_limit/.test(about)) return 'RateLimited';
  return undefined;
}

/** How providers without a code of their own say that a prompt is too long. */
const TOO_LONG = /maximum context|context (length|size|window)|too many tokens|prompt is too long/i;

function typeOfStatus(error: APIError, status: number): ModelFailureType {
  switch (status) {
    case 401:
    case 403:
      return 'Unauthorized';
    case 402:
      return 'QuotaExhausted';
    case 404:
      return 'NotFound';
    case 408:
      return 'Timeout';
    case 409:
      return 'Unavailable';
    case 429:
      return typeOfCode(error) === 'QuotaExhausted' ? 'QuotaExhausted' : 'RateLimited';
    default:
      break;
  }
  if (status >= 500) return 'Unavailable';
  return typeOfCode(error) ?? (TOO_LONG.test(error.message) ? 'ContextLength' : 'BadRequest');
}

/** Inside a stream, or with status 200: some gateways put the status into the code; else the answer began and did not end. */
function typeWithoutStatus(error: APIError): ModelFailureType {
  const status = Number(error.code);
  if (status >= 400 && status < 600) return typeOfStatus(error, status);
  return typeOfCode(error) ?? 'Interrupted';
}

/** A body that was cut off reaches us as an error of the connection or of the JSON parser, not as a status. */
function wasCutOff(error: Error): boolean {
  const chain = [error, error.cause, (error.cause as Error | undefined)?.cause].filter(isError);
  return chain.some(
    ({ name, message }) => name === 'SyntaxError' || /terminated|premature|other side closed/i.test(message),
  );
}

/** By its shape: `fetch` throws errors of Node's own realm, which are no instances of `Error` under jest. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && 'message' in error;
}

function typeOf(error: Error): ModelFailureType | undefined {
  if (error instanceof ModelReplyError) return error.kind;
  if (error instanceof MissingKeyError) return 'Unauthorized';
  if (error instanceof APIConnectionTimeoutError) return 'Timeout';
  // The vendor's client throws this only before the first byte of an answer.
  if (error instanceof APIConnectionError) return 'Unavailable';
  if (error instanceof APIError) {
    return error.status === undefined ? typeWithoutStatus(error) : typeOfStatus(error, error.status);
  }
  if (error.name === 'TimeoutError') return 'Timeout';
  if (wasCutOff(error)) return 'Interrupted';
  return undefined;
}

function messageOf(error: Error, step: string | undefined): string {
  const texts = [step, error.message, (error.cause as Error | undefined)?.message].filter((text) => text);
  return redact([...new Set(texts)].join(': '));
}

/** Our own cancellation: either Temporal's failure, or what `fetch` and the vendor's client make of the signal. */
function cancellationOf(error: unknown): CancelledFailure | undefined {
  if (error instanceof CancelledFailure) return error;
  const aborted = error instanceof APIUserAbortError || (isError(error) && error.name === 'AbortError');
  return aborted ? new CancelledFailure('The model call was cancelled.') : undefined;
}

/** A failure that no retry helps; the vendor's error is not its cause, as its stack would carry the whole message. */
function permanent(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

/**
 * The one mapper from whatever a model call throws to the failure types of the contract. The delay before the next attempt
 * is in the failure: never less than the provider asked for. A cancellation comes back as a `CancelledFailure`, so that
 * throwing the result reports the activity as cancelled; the vendor's own error for it would be retried.
 */
export function toApplicationFailure(error: unknown, context: FailureContext): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure) return error;
  const cancellation = cancellationOf(error);
  if (cancellation) return cancellation;
  if (!isError(error)) return permanent('StepFailed', redact(String(error)));
  const message = messageOf(error, context.step);
  if (error instanceof UnknownModelError) return permanent('UnknownModel', message);
  const type = typeOf(error);
  if (!type) return permanent('StepFailed', message);
  if (!RETRYABLE[type]) return permanent(`Model.${type}`, message);
  const nextRetryDelay = retryDelay(error instanceof APIError ? error.headers : undefined, context);
  return ApplicationFailure.create({ type: `Model.${type}`, message, nextRetryDelay });
}
