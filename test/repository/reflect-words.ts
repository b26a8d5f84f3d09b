import type { Command } from 'commander';
import { program } from '../../src/apps/cli/program/program';

const REFLECT = program(() => {});

/** The command below another one that is meant where none is named. */
function defaultOf(command: Command): Command | undefined {
  const { _defaultCommandName: name } = command as unknown as { _defaultCommandName?: string };
  return command.commands.find((each) => each.name() === name);
}

/** What is wrong with the words of a call of `reflect`; empty if nothing is. */
export function mistakesOfReflect(words: readonly string[]): string[] {
  let command: Command = REFLECT;
  const rest = [...words];
  for (let next = command; rest.length > 0; command = next) {
    const below = command.commands.find((each) => each.name() === rest[0]);
    const otherwise = defaultOf(command);
    if (!below && !otherwise) break;
    if (below) rest.shift();
    next = (below ?? otherwise)!;
  }
  if (command.commands.length > 0 && !(rest.length === 1 && /^--(?:help|version)$/.test(rest[0]!))) {
    return [`there is no command ${words.join(' ')}`];
  }
  const mistakes: string[] = [];
  let given = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]!;
    if (/^[<>]|^\d?>/.test(word)) {
      at += word.length > 1 ? 0 : 1;
    } else if (word.startsWith('--')) {
      const [flag, value] = word.split('=', 2);
      const option = command.options.find(({ long }) => long === flag);
      if (!option && flag !== '--help') mistakes.push(`${command.name()} has no ${flag}`);
      const isTaken = option?.required || (option?.optional && /^[^-<>]/.test(rest[at + 1] ?? ''));
      if (isTaken && value === undefined) at += 1;
    } else given += 1;
  }
  const needed = command.registeredArguments;
  const isFew = given < needed.filter(({ required }) => required).length;
  if (isFew || given > needed.length) mistakes.push(`${command.name()} with ${given} arguments`);
  return mistakes;
}
