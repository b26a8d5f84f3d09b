/** A timer cannot hold any number; a server that wants to be left alone for longer can say so again. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

export function capRetryAfter(milliseconds: number): number {
  return Math.min(milliseconds, LONGEST_MS);
}

/**
 * Reads the wait that a `Retry-After` requests, in milliseconds: seconds, or an HTTP date; undefined if it cannot be read.
 * @param now epoch milliseconds
 */
export function retryAfterOfHeader(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return capRetryAfter(Number.parseFloat(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : capRetryAfter(Math.max(0, date - now));
}
