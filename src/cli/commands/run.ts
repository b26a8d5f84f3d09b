import pc from 'picocolors';
import type { ReflectionClient, RunReference } from '../../client';
import { AlreadyRunningError } from '../../domain/errors/call-errors';
import { ReflectionFailedError } from '../../domain/errors/errors';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { onInterrupt } from '../support/interrupts';
import { type RunnableFile, runnableFileOf } from './runnable-file';
import { withFileLocation } from '../support/with-file-location';
import { command } from '../views/printable';
import { reportError } from '../support/report-error';
import { readRunFile, readState } from '../support/run-input';
import { serverOf } from '../support/server-of';
import { runLink } from '../support/web-ui';

export interface RunOptions {
  state: string[];
  stateFile: string[];
  workflowId?: string;
  json?: boolean;
  detach?: boolean;
  taskQueue?: string;
  address?: string;
  namespace?: string;
}

const EXIT = { success: 0, error: 1, notGoodEnough: 2, interrupted: 130 } as const;

/** `reflect run`: starts a file's loop or pipeline and follows it to its end. Returns the exit code. */
export async function run(file: string, options: RunOptions): Promise<number> {
  const job = runnableFileOf(await readRunFile(file), await readState(options.stateFile, options.state));
  const client = await connect(options);
  try {
    const id = options.workflowId === undefined ? {} : { workflowId: options.workflowId };
    const reference = await job.start(client, id).catch((error: unknown) => {
      throw notStarted(error, job);
    });
    if (options.detach) {
      console.log(options.json ? JSON.stringify(reference) : reference.workflowId);
      return EXIT.success;
    }
    return await follow(client, reference, job, options.json ?? false);
  } finally {
    await client.close();
  }
}

async function follow(
  client: ReflectionClient,
  reference: RunReference,
  job: RunnableFile,
  json: boolean,
): Promise<number> {
  // Before anything is said: who reads the name of the run may press Ctrl-C at once.
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  // With --json, standard output holds the result and nothing else.
  const news = json ? process.stderr : process.stdout;
  const link = runLink(serverOf(client), reference);
  news.write(`${pc.bold(job.name)}  ${reference.workflowId}\n`);
  if (link !== undefined) news.write(`${pc.dim(link)}\n`);
  news.write('\n');
  try {
    const { result, text, outcome } = await job.follow(client, reference, news, interrupted.signal);
    if (json) console.log(JSON.stringify(result, null, 2));
    else console.log(`\n${text}`);
    if (!json && link !== undefined) console.log(`\n${pc.dim(`The run in the Web UI: ${link}`)}`);
    return EXIT[outcome];
  } catch (error) {
    if (interrupted.signal.aborted) {
      console.error(
        `\nThe run goes on without you. Look at it: ${command(`npx reflect show ${reference.workflowId}`)}`,
      );
      console.error(`Stop it: ${command(job.stopCommand(reference.workflowId))}`);
      return EXIT.interrupted;
    }
    if (!(error instanceof ReflectionFailedError)) throw withFileLocation(error, job);
    reportError(error);
    return EXIT.notGoodEnough;
  } finally {
    stopListening();
  }
}

function notStarted(error: unknown, job: RunnableFile): unknown {
  if (!(error instanceof AlreadyRunningError)) return withFileLocation(error, job);
  const { workflowId } = error;
  const advice = `Look at it with \`npx reflect show ${workflowId}\`, or choose another --workflow-id.`;
  return new CliError('AlreadyRunning', `The run "${workflowId}" is there already, and it has not ended.`, advice);
}
