import { APIError } from 'openai';
import { retryAfterOfHeader, capRetryAfter } from '../../domain/limits/retry-after';
import { ModelReplyError } from '../reply-error';

/**
 * What the provider asks us to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date;
 * undefined when it asks for nothing that can be read. A day at most.
 *
 * @param now epoch milliseconds
 */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  if (error instanceof ModelReplyError && error.retryAfterMs !== undefined) return capRetryAfter(error.retryAfterMs);
  const headers: Headers | undefined = error instanceof APIError ? error.headers : undefined;
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return capRetryAfter(milliseconds);
  return retryAfterOfHeader(headers?.get('retry-after'), now);
}
