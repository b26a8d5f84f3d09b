/** A template that cannot be parsed, or that fails or exceeds a limit while it is rendered. Trying again never helps. */
export class TemplateFailed extends Error {
  override name = 'TemplateFailed';
}

const MAX_TEXT_CHARACTERS = 4 * 1024 * 1024;
const MAX_ITEMS = 200_000;
/** Work in one rendering: nodes evaluated, entries looped over, and a share for text that filters go through. */
export const MAX_STEPS = 1_000_000;
/** Time for one rendering, and once more if it is over: catches what the other limits do not count. */
export const MAX_MILLISECONDS = 350;
/** Nodes inside nodes, macros that call themselves included. */
export const MAX_DEPTH = 400;

export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_CHARACTERS)
    throw new TemplateFailed(`it makes a text of more than ${MAX_TEXT_CHARACTERS} characters`);
}

export function checkItemCount(count: number): void {
  if (count > MAX_ITEMS) throw new TemplateFailed(`it makes a list of more than ${MAX_ITEMS} entries`);
}
