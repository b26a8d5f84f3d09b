const TOLD = 'The code that belongs into your reply, and nowhere else, is: ';

/** Renders the last line of a judge's prompt, which asks for a code. */
export function askForCode(code: string): string {
  return `${TOLD}${code}`;
}

/** Returns the code that the last line of a prompt asks for; undefined if it asks for none. */
export function askedCode(prompt: string): string | undefined {
  const last = prompt.slice(prompt.lastIndexOf('\n') + 1);
  return last.startsWith(TOLD) ? last.slice(TOLD.length) : undefined;
}
