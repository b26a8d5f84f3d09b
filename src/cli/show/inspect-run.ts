import type { ReflectionClient } from '../../client';
import { InvalidSpecError, ReflectionFailedError, RunFailedError } from '../../domain/errors/errors';
import { ask } from '../support/ask';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { noWorkerText } from '../support/pollers';

/** How runs end that have no result. */
export type RunFailure = InvalidSpecError | ReflectionFailedError | RunFailedError;

/** What came of a run that has ended. */
export interface RunEnd<Result> {
  result?: Result;
  failure?: RunFailure;
}

/** What is known of a run: what came of it once it has ended, and what its worker says. */
export interface Known<Result, Progress> extends RunEnd<Result> {
  progress?: Progress;
}

/** What to ask of a run. */
export interface Questions<Result, Progress> {
  result(): Promise<Result>;
  progress(): Promise<Progress>;
  /** A run that has ended is asked for its result alone. Default: for its progress, too. */
  endSaysAll?: boolean;
}

/** What came of a run that has ended; failures of other kinds, such as a server that is away, are thrown. */
export async function endOf<Result>(result: () => Promise<Result>): Promise<RunEnd<Result>> {
  try {
    return { result: await result() };
  } catch (error) {
    const isEnd =
      error instanceof InvalidSpecError || error instanceof ReflectionFailedError || error instanceof RunFailedError;
    if (isEnd) return { failure: error };
    throw error;
  }
}

/**
 * Asks what is known of a run. A run that has ended tells its end without a worker, too.
 *
 * @throws CliError of type `NoAnswer` for a run under way that nobody answers for
 */
export async function inspectRun<Result, Progress>(
  client: ReflectionClient,
  { running, taskQueue }: Pick<RunDescription, 'running' | 'taskQueue'>,
  { result, progress: question, endSaysAll = false }: Questions<Result, Progress>,
): Promise<Known<Result, Progress>> {
  const progress = running || !endSaysAll ? await ask(client, question) : undefined;
  if (running && progress === undefined) throw noAnswer(taskQueue);
  const end = running ? {} : await endOf(result);
  return progress === undefined ? end : { ...end, progress };
}

/** A run is under way, and no worker answers for it. */
export function noAnswer(taskQueue: string): CliError {
  return new CliError('NoAnswer', `The run is there, but nobody answers for it. ${noWorkerText(taskQueue)}`);
}
