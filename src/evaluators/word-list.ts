/** The words of a text, which stand between blanks or bars. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s|]+/).filter((word) => word !== ''));
}
