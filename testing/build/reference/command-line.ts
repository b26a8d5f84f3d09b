/** The page of the command line, from the tree of commands that parses it. */
import type { Argument, Command, Option } from 'commander';
import { program } from '../../../src/cli';
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
    ].join('\n\n'),
    ...below,
  ];
}

export function commandLinePage(): string {
  const reflect = program(() => {});
  return `# Command line

Every command of \`reflect\`, with its options. ${GENERATED}

Exit codes: 0 success, 1 an error, 2 a run that ended without a good version or an evaluation that did not pass, 130
Ctrl-C. \`--help\` after any command prints its options. The command reads [environment variables](environment.md).

${sections(reflect, '').join('\n\n')}
`;
}
