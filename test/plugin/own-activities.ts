/** Activities that somebody's worker had before reflection loops came to it. */
export async function lookUp(word: string): Promise<string> {
  return `${word.toUpperCase()}!`;
}

/** Of a name that activities of reflection loops have, too, without their prefix. */
export async function generate(name: string): Promise<string> {
  return `Hello ${name}`;
}
