/** Activities that somebody's worker had before reflection loops came to it. */
export async function lookUp(word: string): Promise<string> {
  return `${word.toUpperCase()}!`;
}

export async function greet(name: string): Promise<string> {
  return `Hello ${name}`;
}
