import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { CircuitOpenError } from './circuit-open';
import { EndpointHeldError } from './endpoint-held';
import { MissingKeyError, ModelReplyError, StillRunningError } from '../reply-error';

/** The failure types of model calls, with whether trying again can help. */
export const RETRYABLE = {
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
export function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && 'message' in error;
}

/** What a model call threw, as the contract names it; undefined for what is no failure of a call. */
export function failureTypeOf(error: Error): ModelFailureType | undefined {
  if (error instanceof CircuitOpenError) return 'CircuitOpen';
  if (error instanceof EndpointHeldError) return 'RateLimited';
  if (error instanceof ModelReplyError) return error.kind;
  if (error instanceof StillRunningError) return 'Timeout';
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
