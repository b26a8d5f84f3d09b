/** The page of the command line, from the tree of commands that parses it. */
import type { Argument, Command, Option } from 'commander';
import { program } from '../../../src/apps/cli/program/program';
import { EXIT, exitMeanings } from '../../../src/apps/cli/support/exit-codes';
import { GENERATED, markdownTable } from './table';

const code = (text: string): string => `\`${text}\``;

function optionRow(option: Option): string[] {
  const { flags, description, defaultValue, defaultValueDescription, argChoices, mandatory } = option;
  const standard = defaultValueDescription ?? (defaultValue === undefined ? '' : JSON.stringify(defaultValue));
  const choices = argChoices ? ` (${argChoices.map(code).join(', ')})` : '';
  return [code(flags), mandatory ? 'required' : standard && code(standard), `${description}${choices}`];
}

function argumentRow(argument: Argument): string[] {
  const { description, argChoices, required } = argument;
  const choices = argChoices ? ` (${argChoices.map(code).join(', ')})` : '';
  return [code(argument.name()), required ? 'required' : '', `${description}${choices}`];
}

/** What the exit codes of a command mean, in a line. */
function exitCodes(command: Command): string {
  const meanings = exitMeanings(command) ?? {};
  const each = Object.entries(EXIT).flatMap(([ending, number]) => {
    const meaning = meanings[ending as keyof typeof EXIT];
    return meaning === undefined ? [] : [`${code(String(number))} ${meaning}`];
  });
  return `Exit codes: ${each.join('; ')}.`;
}

/** A command, and those below it. */
function sections(command: Command, above: string): string[] {
  const path = `${above}${command.name()}`;
  const below = command.commands.flatMap((each) => sections(each, `${path} `));
  if (command.commands.length > 0) return below;
  const named = command.registeredArguments.filter(({ description }) => description);
  const rows = [...named.map(argumentRow), ...command.options.filter(({ hidden }) => !hidden).map(optionRow)];
  return [
    [
      `## ${path}`,
      `${code(`${path} ${command.usage()}`)}: ${command.description()}.`,
      ...(rows.length > 0 ? [markdownTable(['Argument or option', 'Default', 'Meaning'], rows)] : []),
      exitCodes(command),
    ].join('\n\n'),
    ...below,
  ];
}

export function commandLinePage(): string {
  const reflect = program(() => {});
  return `# Command line

Every command of \`reflect\`, with its options. ${GENERATED}

\`--help\` after any command prints its options and its exit codes. The command reads
[environment variables](environment.md).

With \`--json\`, standard output holds exactly one JSON value, and what is said to people goes to standard error. A failure
is \`{"error": {"type", "message", "advice"?, "problems"?}}\`; the exit code is the same as without.

On a terminal no line is wider than it; \`show --output\` and what goes to a file or a pipe are written as they are. While a
run is followed, a line shows what it does, for how long, and what it has cost. \`NO_COLOR\` turns colours off.

${sections(reflect, '').join('\n\n')}
`;
}
