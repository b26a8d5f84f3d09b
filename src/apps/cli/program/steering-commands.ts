import { Argument, Command, InvalidArgumentError } from 'commander';
import { type CommandName, type Decision, DECISIONS } from '../../../loop/base/command-payloads';
import { CliError } from '../support/cli-error';
import { json, whole } from '../support/options';
import type { SteerOptions } from '../runs/steer';

function amount(value: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(value)) throw new InvalidArgumentError('It must be an amount such as 2.50.');
  return Number(value);
}

/** Creates a command about one run. A name with arguments in it would be taken as a name, so they are given separately here. */
function aboutRun(name: string, description: string, id = '<id>'): Command {
  return new Command(name)
    .description(description)
    .argument(id, 'id of the run')
    .option('--id <id>', 'id of the command; sent again with the same id, it takes effect once')
    .option('--timeout <duration>', 'how long to wait for an answer', '30s')
    .addOption(json());
}

function createVersionCommand(name: string, description: string, id?: string): Command {
  return aboutRun(name, description, id)
    .option(
      '--iteration <n>',
      'the version that you have seen; refused if it is no longer the one to decide about',
      whole,
    )
    .option('--by <name>', 'who you are, for the record');
}

/** Returns the id and the options of `override`: `--text` alone may stand before the id, which is then taken for its text. */
function overrideArguments(id: string | undefined, options: SteerOptions): [id: string, options: SteerOptions] {
  if (id !== undefined) return [id, options];
  const { text } = options;
  if (typeof text === 'string' && options.output !== undefined) return [text, { ...options, text: true }];
  throw new CliError('InvalidCommandLine', 'The id of the run is missing.', 'See --help of the command.');
}

export function steeringCommands(done: (code: number) => void): Command[] {
  const send = async (name: CommandName, id: string, options: SteerOptions) => {
    const { steer } = require('../runs/steer') as typeof import('../runs/steer');
    done(await steer(name, id, options));
  };
  const decision = 'another version (continue), the end (stop), or as the loop would (auto)';
  return [
    createVersionCommand('accept', 'end a run with the version under review, or with its best one if it does not wait')
      .option('--best', 'with its best version, whichever is under review')
      .option('--reason <text>', 'why, for the record')
      .action(async (id: string, options: SteerOptions) => send('accept', id, options)),
    aboutRun('abort', 'end a run at once, without accepting a version')
      .option('--by <name>', 'who you are, for the record')
      .option('--reason <text>', 'why, for the record')
      .action(async (id: string, options: SteerOptions) => send('abort', id, options)),
    aboutRun('answer', 'answer a question of a run, or decide about a call that waits for approval')
      .argument('[text]', 'the answer to the question')
      .option('--to <id>', 'the question or the call; a text needs it only if the run waits for several')
      .option('--approve', 'let the call be made as it is')
      .option('--refuse', 'do not let the call be made')
      .option('--arguments <json>', 'let the call be made with these arguments instead')
      .option('--reason <text>', 'why; the model gets the reason of a refusal')
      .option('--by <name>', 'who you are, for the record')
      .action(async (id: string, text: string | undefined, options: SteerOptions) =>
        send('answer', id, { ...options, ...(text !== undefined && { text }) }),
      ),
    createVersionCommand('guide', 'give the next revision a text; a run that waits continues')
      .argument('<text>', 'the text for the revision')
      .action(async (id: string, text: string, options: SteerOptions) => send('guide', id, { ...options, text })),
    createVersionCommand('override', 'give the next version yourself; it is judged', '[id]')
      .usage('[options] <id>')
      .option('--output <file or JSON>', 'a file (JSON where it is JSON, else text), - for the standard input, or JSON')
      .option(
        '--text [text]',
        'the text of the version, - for the standard input; alone: --output is a text, even if it looks like JSON',
      )
      .action(async (id: string | undefined, options: SteerOptions) =>
        send('override', ...overrideArguments(id, options)),
      ),
    createVersionCommand('extend', 'raise the limits of a run')
      .option('--iterations <n>', 'this many more versions', whole)
      .option('--tokens <n>', 'this many more tokens', whole)
      .option('--usd <amount>', 'this many more US dollars', amount)
      .action(async (id: string, options: SteerOptions) => send('extend', id, options)),
    createVersionCommand('decide', 'overrule the loop after its latest evaluation')
      .addArgument(new Argument('<decision>', decision).choices(DECISIONS))
      .action(async (id: string, chosen: Decision, options: SteerOptions) =>
        send('decide', id, { ...options, decision: chosen }),
      ),
    createVersionCommand('reflect', 'have the current version judged again').action(
      async (id: string, options: SteerOptions) => send('reflect', id, options),
    ),
  ];
}
