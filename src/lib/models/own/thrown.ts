import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { CancelledFailure } from '@temporalio/common';
import { omitUndefined } from '../../base/defined';
import { usageOf } from '../answer';
import { RETRYABLE } from '../circuits/failure-type';
import { ModelReplyError } from '../reply-error';
import type { ModelPrices } from '../types';
import { ModelCallError } from './model-call-error';
import type { ModelUsage } from './custom-model';

const CONNECTION =
  /^(?:ECONN(?:RESET|REFUSED|ABORTED)|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+)$/;

const TOO_LONG = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns whether an error is a `ModelCallError`, by its name too: the owner's code may have a copy of this package. */
function isCallError(error: unknown): error is ModelCallError {
  return error instanceof ModelCallError || (isObject(error) && error['name'] === 'ModelCallError' && 'type' in error);
}

function fromCallError({ type, message, retryAfterMs, usage, cause }: ModelCallError, prices?: ModelPrices): Error {
  if (!Object.hasOwn(RETRYABLE, type)) {
    return new ModelReplyError(
      'InvalidReply',
      `A ModelCallError of the unknown type ${JSON.stringify(type)}: ${message}`,
    );
  }
  const cost = isUsage(usage)
    ? usageOf(
        omitUndefined({ prompt: usage.promptTokens, completion: usage.completionTokens, total: usage.totalTokens }),
        prices,
      )
    : undefined;
  const wait = typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined;
  return new ModelReplyError(type, message, cost, { cause, retryAfterMs: wait });
}

function isUsage(usage: unknown): usage is ModelUsage {
  return isObject(usage) && Number.isFinite(usage['promptTokens']) && Number.isFinite(usage['completionTokens']);
}

function statusOf({ status, statusCode }: Fields): number | undefined {
  return [status, statusCode].find(
    (value): value is number => Number.isInteger(value) && isErrorStatus(value as number),
  );
}

const isErrorStatus = (status: number): boolean => status >= 400 && status < 600;

function headersOf({ headers, responseHeaders }: Fields): Headers {
  const given = responseHeaders ?? headers;
  // By its shape: `fetch` is of another realm under test runners.
  if (isObject(given) && typeof given['get'] === 'function') return given as unknown as Headers;
  const entries = isObject(given) ? Object.entries(given) : [];
  const read = new Headers();
  for (const [name, value] of entries) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    try {
      read.set(name, String(value));
    } catch {
      // No header: nothing that is read here is named so.
    }
  }
  return read;
}

function parseBody(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyOf(error: Fields): object | undefined {
  const candidates = [
    error['data'],
    error['error'],
    parseBody(error['responseBody']),
    parseBody(error['body']),
    error['body'],
  ];
  const body = candidates.find(isObject);
  const inner = body && isObject(body['error']) ? body['error'] : body;
  if (inner) return inner;
  const { code } = error;
  return typeof code === 'string' ? { code, message: error['message'] } : undefined;
}

function chainOf(error: unknown): Fields[] {
  const chain: Fields[] = [];
  for (let each = error; isObject(each) && chain.length < 4; each = each['cause']) chain.push(each);
  return chain;
}

/** Returns whether an error is an abort by the owner's code: the worker's own signal has not ended the call. */
function isAbort(error: unknown): boolean {
  if (error instanceof APIUserAbortError || error instanceof CancelledFailure) return true;
  return isObject(error) && (error['name'] === 'AbortError' || error['name'] === 'TimeoutError');
}

/**
 * Converts an error of the code of a worker's owner to one that the worker's own calls throw. An error with a status
 * becomes the one of the vendor's client, so that one place decides what statuses, codes and texts mean.
 */
export function thrownByOwner(error: unknown, prices?: ModelPrices): unknown {
  if (isCallError(error)) return fromCallError(error, prices);
  if (error instanceof APIError && !isAbort(error)) return error;
  if (isAbort(error)) {
    const message = 'The code of the model ended the call before its time was over.';
    return new ModelReplyError('Timeout', message, undefined, { cause: error });
  }
  if (!isObject(error)) return error;
  const status = statusOf(error);
  const message = typeof error['message'] === 'string' ? error['message'] : undefined;
  if (status !== undefined) return APIError.generate(status, { error: bodyOf(error) }, message, headersOf(error));
  // The answer had begun.
  if (/terminated|premature/i.test(message ?? '')) return error;
  const codes = chainOf(error).map(({ code }) => (typeof code === 'string' ? code : ''));
  const text = message ?? 'The connection failed.';
  if (codes.some((code) => TOO_LONG.test(code)))
    return new ModelReplyError('Timeout', text, undefined, { cause: error });
  if (codes.some((code) => CONNECTION.test(code)) || message === 'fetch failed') {
    return new APIConnectionError({ message: text, cause: error as unknown as Error });
  }
  return error;
}
