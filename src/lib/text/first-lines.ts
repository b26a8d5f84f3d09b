const MOST_TOLD = 20;

/** Returns the first lines, and how many more there are. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_TOLD;
  return more > 0 ? [...lines.slice(0, MOST_TOLD), `… and ${more} more`] : [...lines];
}
