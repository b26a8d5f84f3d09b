import { fateOf, wordsOf } from '../../../loop/state/command-log';
import type { PersonEntry } from '../../../loop/contract/results';
import { oneLine } from './printable';

const SHOWN = 10;
const LENGTH = 160;

/** Lists the commands that reviewers sent to a run, and their effects, the latest last. */
export function peopleText(people: readonly PersonEntry[]): string[] {
  if (people.length === 0) return [];
  const hidden = Math.max(0, people.length - SHOWN);
  const lines = people.slice(hidden).map((entry) => {
    const words = wordsOf(entry);
    const said = words === undefined ? '' : `, "${oneLine(words, LENGTH)}"`;
    const who = entry.by === undefined ? '' : ` by ${oneLine(entry.by, LENGTH)}`;
    return `  ${entry.at}  ${oneLine(entry.name, LENGTH)}${who} (${entry.via}) ${oneLine(fateOf(entry), LENGTH)}${said}`;
  });
  return ['', 'What people sent:', ...(hidden > 0 ? [`  (${hidden} earlier)`] : []), ...lines];
}
