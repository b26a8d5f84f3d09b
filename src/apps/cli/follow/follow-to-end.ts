import pc from 'picocolors';
import type { Finish } from '../show/run-view';
import { CliError } from '../support/cli-error';
import { EXIT } from '../support/exit-codes';
import { onInterrupt } from '../support/interrupts';
import { printText, writeJson } from '../terminal/say';

interface Following {
  begin(news: NodeJS.WriteStream): string | undefined;
  follow(news: NodeJS.WriteStream, signal: AbortSignal): Promise<Finish>;
  again?: string;
}

/**
 * Follows a run to its end and prints its result. Ctrl-C lets go of the run and leaves it alone. Throws CliError Interrupted; and
 * how the run failed.
 */
export async function followToEnd(
  workflowId: string,
  json: boolean,
  { begin, follow, again }: Following,
): Promise<number> {
  // Before anything is printed: a user who reads the name of the run may press Ctrl-C at once.
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  const news = json ? process.stderr : process.stdout;
  const link = begin(news);
  try {
    const { result, text, outcome } = await follow(news, interrupted.signal);
    if (json) writeJson(result);
    else printText(`\n${text}`);
    if (!json && link !== undefined) printText(`\n${pc.dim('The run in the Web UI:')}\n${pc.dim(link)}`);
    return EXIT[outcome];
  } catch (error) {
    throw interrupted.signal.aborted ? letGoOf(workflowId, again) : error;
  } finally {
    stopListening();
  }
}

/** Returns the error for a user who stops watching a run; the run goes on. */
export function letGoOf(workflowId: string, again?: string): CliError {
  const attach = again === undefined ? [] : [`Attach again: ${again}`];
  const advice = [...attach, `Look at it: npx reflect show ${workflowId}`, `Stop it: npx reflect abort ${workflowId}`];
  return new CliError('Interrupted', 'The run goes on without you.', advice.join('\n'));
}
