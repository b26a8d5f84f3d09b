/** The end of the last year that ISO 8601 writes with four digits, in epoch milliseconds. */
const LATEST = Date.UTC(9999, 11, 31);

/** When something of that time (ISO 8601) expires that is recalled for so many milliseconds. */
export function expiryOf(createdAt: string, afterMs: number): string {
  return new Date(Math.min(Date.parse(createdAt) + afterMs, LATEST)).toISOString();
}
