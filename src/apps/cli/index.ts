import { CommanderError } from 'commander';
import { program } from './program/program';
import { EXIT, exitCodeOf } from './support/exit-codes';
import { reportError } from './support/report-error';
import { writeJsonFailure } from './terminal/say';

/** Runs the `reflect` command and ends the process with its exit code; `exit-codes.ts` lists them. */
export async function main(argv: readonly string[]): Promise<void> {
  // `reflect list | head` closes our output early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let code: number = EXIT.error;
  try {
    await program((commandsCode) => (code = commandsCode)).parseAsync([...argv]);
  } catch (error) {
    code = reportFailure(error, wantsJson(argv));
  }
  // A pipe takes what was written some time later; ending before would cut it off.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

/** Looks for `--json` among the words themselves: arguments that cannot be parsed do not say so. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

function reportFailure(error: unknown, asJson: boolean): number {
  if (!(error instanceof CommanderError)) {
    reportError(error, asJson);
    return exitCodeOf(error);
  }
  // Help and the version end a command, too; the problem was printed already.
  if (error.exitCode === 0) return EXIT.success;
  const message = error.message.replace(/^error: /, '');
  if (asJson)
    writeJsonFailure({ error: { type: 'InvalidCommandLine', message, advice: 'See --help of the command.' } });
  return EXIT.error;
}
