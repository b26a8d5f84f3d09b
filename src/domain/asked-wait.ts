/** Nobody means more; a number without bounds would be no time at all to whoever has to keep it. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

/** What somebody asks us to wait, in milliseconds: a day at most, then they may ask again. */
export function askedWait(milliseconds: number): number {
  return Math.min(milliseconds, LONGEST_MS);
}
