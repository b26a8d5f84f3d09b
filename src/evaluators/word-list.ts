/** Returns the words of a text, which are separated by blanks or bars. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s|]+/).filter((word) => word !== ''));
}
