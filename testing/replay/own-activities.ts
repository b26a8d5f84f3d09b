/** An activity that somebody's worker had before loops came to it. */
export async function note(word: string): Promise<string> {
  return `${word}!`;
}
