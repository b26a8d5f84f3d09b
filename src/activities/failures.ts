import { ApplicationFailure } from '@temporalio/common';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from 'openai';
import { MissingKeyError, ModelReplyError } from '../models/reply-error';
import { redact } from '../observability/redact';

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
  /** Epoch milliseconds, for Retry-After dates. */
  now?: number;
  /** 0..1, for the jitter. */
  random?: () => number;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Exponential from 1 s to 30 s with up to a quarter more, so that runs that failed together do not come back together. */
function backoff({ attempt, random = Math.random }: FailureContext): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 16), LONGEST_DELAY_MS);
  return Math.round(delay * (1 + random() / 4));
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

function typeOfStatus(error: APIError): ModelFailureType {
  const about = `${error.code ?? ''} ${error.type ?? ''}`;
  const text = `${about} ${error.message}`;
  switch (error.status) {
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
      return /insufficient_quota|billing/.test(about) ? 'QuotaExhausted' : 'RateLimited';
    default:
      break;
  }
  if ((error.status ?? 500) >= 500) return 'Unavailable';
  if (/context_length|maximum context|too many tokens/i.test(text)) return 'ContextLength';
  return /content_filter|content_policy/.test(about) ? 'Filtered' : 'BadRequest';
}

/** A body that was cut off reaches us as an error of the connection or of the JSON parser, not as a status. */
function wasCutOff(error: Error): boolean {
  const chain = [error, error.cause, (error.cause as Error | undefined)?.cause].filter((each) => each instanceof Error);
  return chain.some((each) => each instanceof SyntaxError || /terminated|premature|other side closed|aborted/i.test(each.message));
}

function typeOf(error: Error): ModelFailureType | undefined {
  if (error instanceof ModelReplyError) return error.kind;
  if (error instanceof MissingKeyError) return 'Unauthorized';
  if (error instanceof APIConnectionTimeoutError) return 'Timeout';
  if (error instanceof APIConnectionError) return wasCutOff(error) ? 'Interrupted' : 'Unavailable';
  // An error event inside a stream has no status: the answer began and did not end.
  if (error instanceof APIError) return error.status === undefined ? 'Interrupted' : typeOfStatus(error);
  if (wasCutOff(error)) return 'Interrupted';
  return undefined;
}

/** The type of what a model call throws, without `Model.`; for metrics and traces. */
export function modelFailureType(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type?.replace(/^Model\./, '') ?? 'StepFailed';
  return (error instanceof Error ? typeOf(error) : undefined) ?? 'StepFailed';
}

function messageOf(error: Error): string {
  const causes = [error.message, (error.cause as Error | undefined)?.message].filter((text) => text);
  return redact([...new Set(causes)].join(': '));
}

/**
 * The one mapper from whatever a model call throws to the failure types of the contract. The delay before the next attempt
 * is in the failure: never less than the provider asked for. A cancellation is returned as it is.
 */
export function toApplicationFailure(error: unknown, context: FailureContext): Error {
  if (error instanceof ApplicationFailure || error instanceof APIUserAbortError) return error;
  if (!(error instanceof Error)) {
    return ApplicationFailure.create({ type: 'StepFailed', message: redact(String(error)), nonRetryable: true });
  }
  const type = typeOf(error);
  if (!type) return ApplicationFailure.create({ type: 'StepFailed', message: messageOf(error), nonRetryable: true });
  const retryable = RETRYABLE[type];
  const headers = error instanceof APIError ? error.headers : undefined;
  const asked = askedToWait(headers, context.now ?? Date.now());
  return ApplicationFailure.create({
    type: `Model.${type}`,
    message: messageOf(error),
    nonRetryable: !retryable,
    ...(retryable ? { nextRetryDelay: Math.ceil(asked === undefined ? backoff(context) : Math.max(asked, 1)) } : {}),
  });
}
