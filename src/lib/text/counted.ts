/**
 * Renders a count with its noun: `1 agent`, `2 agents`.
 * @param noun in the singular, of those that take an s
 * @param written the number as it is shown; default: its digits
 */
export function renderCount(count: number, noun: string, written = String(count)): string {
  return `${written} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a count with its noun as the subject of a sentence: `1 case is`, `2 cases are`. */
export function renderCountAre(count: number, noun: string, written?: string): string {
  return `${renderCount(count, noun, written)} ${count === 1 ? 'is' : 'are'}`;
}
