import { APIError } from 'openai';
import { retryAfterOfHeader, capRetryAfter } from '../../limits/retry-after';
import { ModelReplyError } from '../reply-error';

/** The prefixes of header names: a proxy passes on its provider's headers under the second one (LiteLLM). */
const PREFIXES = ['', 'llm_provider-'];

/**
 * Returns the wait that the provider requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an
 * HTTP date; undefined when it requests none that can be read. A day at most.
 *
 * @param now epoch milliseconds
 */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  if (error instanceof ModelReplyError && error.retryAfterMs !== undefined) return capRetryAfter(error.retryAfterMs);
  const headers: Headers | undefined = error instanceof APIError ? error.headers : undefined;
  for (const prefix of PREFIXES) {
    const milliseconds = Number.parseFloat(headers?.get(`${prefix}retry-after-ms`) ?? '');
    if (milliseconds >= 0) return capRetryAfter(milliseconds);
    const asked = retryAfterOfHeader(headers?.get(`${prefix}retry-after`), now);
    if (asked !== undefined) return asked;
  }
  return undefined;
}
