import { editDistance } from '../../lib/names/nearest-name';
import { COMMAND_NAMES, type CommandName } from '../base/command-payloads';
import { cutText } from '../../lib/text/summary-text';

const NAME_LENGTH = 40;

const MISTYPED = 2;

const MEANT: Readonly<Record<string, CommandName>> = {
  approve: 'accept',
  reply: 'answer',
  respond: 'answer',
  refuse: 'answer',
  deny: 'answer',
  reject: 'answer',
  finish: 'accept',
  cancel: 'abort',
  kill: 'abort',
  stop: 'abort',
  comment: 'guide',
  feedback: 'guide',
  hint: 'guide',
  edit: 'override',
  replace: 'override',
  continue: 'decide',
  resume: 'decide',
  evaluate: 'reflect',
  judge: 'reflect',
};

function byNearness<Name extends string>(
  said: string,
  names: readonly Name[],
  meant: Readonly<Record<string, Name>>,
): { near?: Name; sorted: Name[] } {
  const word = said.slice(0, NAME_LENGTH).trim().toLowerCase();
  const known = Object.hasOwn(meant, word) ? meant[word] : undefined;
  const distance = (name: Name): number => (name === known ? 0 : editDistance(word, name));
  const sorted = names.toSorted((first, second) => distance(first) - distance(second));
  const [nearest] = sorted;
  return nearest !== undefined && distance(nearest) <= MISTYPED ? { near: nearest, sorted } : { sorted };
}

/** Lists the known names, the nearest first. `who` takes them, such as `a loop`; `meant`: the known name for some other words. */
export function unknownName<Name extends string>(
  said: string,
  who: string,
  names: readonly Name[],
  meant: Readonly<Record<string, Name>> = {},
): string {
  const { near, sorted } = byNearness(said, names, meant);
  const shown = cutText(said, NAME_LENGTH);
  const question = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `there is no command "${shown}"${question}: ${who} takes ${sorted.join(', ')}`;
}

export function unknownCommand(said: string): string {
  return unknownName(said, 'a loop', COMMAND_NAMES, MEANT);
}
