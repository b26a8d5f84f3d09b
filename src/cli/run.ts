import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import pc from 'picocolors';
import type { ReflectionClient, RunReference } from '../client';
import { InvalidSpecError, ReflectionFailedError, RunFailedError } from '../domain/errors';
import type { ReflectionResult } from '../domain/result';
import type { SpecProblem } from '../domain/spec-problem';
import { SpecFileError, type SpecFile } from '../yaml/index';
import { CliError } from './cli-error';
import { connect } from './connect';
import { followRun } from './follow';
import { onInterrupt } from './interrupts';
import { liveView } from './live-view';
import { command } from './printable';
import { reportError } from './report-error';
import { resultText } from './result-view';
import { readSpec, readState } from './run-input';
import { serverOf } from './server-of';
import { runLink } from './web-ui';

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

/** `reflect run`: starts a file's loop and follows it to its end. Returns the exit code. */
export async function run(file: string, options: RunOptions): Promise<number> {
  const specFile = await readSpec(file);
  const state = await readState(options.stateFile, options.state);
  const spec =
    Object.keys(state).length === 0 ? specFile.spec : { ...specFile.spec, state: { ...specFile.spec.state, ...state } };
  const client = await connect(options);
  try {
    const id = options.workflowId === undefined ? {} : { workflowId: options.workflowId };
    const reference = await client.start(spec, id).catch((error: unknown) => {
      throw notStarted(error, specFile);
    });
    if (options.detach) {
      console.log(options.json ? JSON.stringify(reference) : reference.workflowId);
      return EXIT.success;
    }
    return await follow(client, reference, specFile, options.json ?? false);
  } finally {
    await client.close();
  }
}

async function follow(
  client: ReflectionClient,
  reference: RunReference,
  specFile: SpecFile,
  json: boolean,
): Promise<number> {
  // Before anything is said: who reads the name of the run may press Ctrl-C at once.
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  // With --json, standard output holds the result and nothing else.
  const news = json ? process.stderr : process.stdout;
  const link = runLink(serverOf(client), reference);
  news.write(`${pc.bold(specFile.spec.name ?? 'reflection')}  ${reference.workflowId}\n`);
  if (link !== undefined) news.write(`${pc.dim(link)}\n`);
  news.write('\n');
  const view = liveView(news);
  try {
    const result = await followRun(client, reference, view, interrupted.signal);
    view.clear();
    if (json) console.log(JSON.stringify(result, null, 2));
    else console.log(`\n${resultText(result)}`);
    if (!json && link !== undefined) console.log(`\n${pc.dim(`The run in the Web UI: ${link}`)}`);
    return exitCode(result);
  } catch (error) {
    view.clear();
    if (interrupted.signal.aborted) {
      console.error(
        `\nThe run goes on without you. Look at it: ${command(`npx reflect show ${reference.workflowId}`)}`,
      );
      console.error(`Stop it: ${command(`npx reflect abort ${reference.workflowId}`)}`);
      return EXIT.interrupted;
    }
    if (!(error instanceof ReflectionFailedError)) throw located(error, specFile);
    reportError(error);
    return EXIT.notGoodEnough;
  } finally {
    stopListening();
  }
}

function exitCode({ success, convergenceReason }: ReflectionResult): number {
  if (success) return EXIT.success;
  return convergenceReason === 'error' ? EXIT.error : EXIT.notGoodEnough;
}

/** A mistake that only the worker could find, shown in the file. */
function located(error: unknown, { file, locate }: SpecFile): unknown {
  if (error instanceof InvalidSpecError) return new SpecFileError('InvalidSpec', file, error.problems.flatMap(locate));
  if (!(error instanceof RunFailedError)) return error;
  const { type, details } = error;
  if (type !== 'UnknownAction' && type !== 'UnknownModel') return error;
  return new SpecFileError(type, file, (details[0] as SpecProblem[]).flatMap(locate));
}

function notStarted(error: unknown, file: SpecFile): unknown {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return located(error, file);
  const { workflowId } = error;
  const advice = `Look at it with \`npx reflect show ${workflowId}\`, or choose another --workflow-id.`;
  return new CliError('AlreadyRunning', `The run "${workflowId}" is there already, and it has not ended.`, advice);
}
