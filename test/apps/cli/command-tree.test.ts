import type { Command } from 'commander';
import { program } from '../../../src/apps/cli/program/program';
import { EXIT, exitMeanings } from '../../../src/apps/cli/support/exit-codes';

function commandsBelow(command: Command, above = ''): [name: string, command: Command][] {
  const name = `${above}${command.name()}`;
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((each) => commandsBelow(each, `${name} `));
}

const COMMANDS = commandsBelow(program(() => undefined));

/** Commands that print nothing which a program could read, and why. */
const WITHOUT_JSON: Record<string, string> = {};

test('there are commands', () => expect(COMMANDS.length).toBeGreaterThan(15));

test.each(COMMANDS)('%s takes --json, or is excused', (name, command) => {
  const takes = command.options.some(({ long }) => long === '--json');
  expect(takes !== Object.hasOwn(WITHOUT_JSON, name)).toBe(true);
});

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return help;
}

test.each(COMMANDS)('the help of %s ends with what its exit codes mean', (_name, command) => {
  const meanings = exitMeanings(command)!;
  const codes = Object.entries(meanings).map(([ending, meaning]) => `${EXIT[ending as keyof typeof EXIT]} +${meaning}`);
  expect(codes.length).toBeGreaterThanOrEqual(3);
  for (const line of codes) expect(helpOf(command)).toMatch(new RegExp(line.replace(/[().]/g, '\\$&')));
  expect(helpOf(command).trimEnd()).toMatch(/Exit codes:\n(?: {2}\d+ +\S.*\n?)+$/);
});

test.each(COMMANDS)('no line of the help of %s is wider than 80 columns', (_name, command) => {
  expect(
    helpOf(command)
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([]);
});
