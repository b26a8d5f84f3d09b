const TOLD = 'The code that belongs into your reply, and nowhere else, is: ';

/** Matches what has the form of a code: of an earlier call, whose code is no longer known. */
export const CODE_WORD = /\b[0-9a-f]{16}\b/g;

/** The text in place of a code in prompts and replies that are shown or kept. */
export const HIDDEN_CODE = '[code]';

/** Renders the last line of a judge's prompt: the question, and the code that the reply is to carry. */
export function askForCode(code: string, question: string): string {
  return `${question} ${TOLD}${code}`;
}

export function askedCode(prompt: string): string | undefined {
  const last = prompt.slice(prompt.lastIndexOf('\n') + 1);
  const start = last.lastIndexOf(TOLD);
  return start === -1 ? undefined : last.slice(start + TOLD.length);
}
