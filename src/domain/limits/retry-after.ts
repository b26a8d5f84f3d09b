/** Nobody means more; a number without bounds would be no time at all to whoever has to keep it. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

/** What somebody asks us to wait, in milliseconds: a day at most, then they may ask again. */
export function capRetryAfter(milliseconds: number): number {
  return Math.min(milliseconds, LONGEST_MS);
}

/**
 * What a `Retry-After` asks us to wait, in milliseconds: seconds, or an HTTP date; undefined when it cannot be read.
 *
 * @param now epoch milliseconds
 */
export function askedByHeader(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return capRetryAfter(Number.parseFloat(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : capRetryAfter(Math.max(0, date - now));
}
