/** Notes kept of what was sent to the wrong run. */
const REFUSALS = 5;
const NAME_LENGTH = 40;

/** @param loops ids of the runs of its loops that are under way */
export function notForThis(what: 'pipeline' | 'plan', loops: readonly string[]): string {
  const ids = loops.map((id) => `"${id}"`).join(' or ');
  const advice =
    loops.length === 0 ? 'no loop of it runs now' : `send it to its loop${loops.length > 1 ? 's' : ''} ${ids}`;
  return `a ${what} takes no commands: ${advice}, or cancel the ${what}`;
}

/** Adds a note about a signal that was not for this run; the oldest notes make room. */
export function noteRefused(refused: readonly string[] = [], name: string, why: string): string[] {
  return [...refused, `${name.slice(0, NAME_LENGTH)} was refused: ${why}`].slice(-REFUSALS);
}
