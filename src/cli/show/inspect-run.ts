import type { ReflectionClient } from '../../client';
import type { RunKind } from '../../client/kinds/run-kind';
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
 * @param endSaysAll a run that has ended is asked for its result alone
 * @throws CliError of type `NoAnswer` for a run under way that nobody answers for
 */
export async function inspectRun<Spec, Result, Progress>(
  client: ReflectionClient,
  { workflowId, running, taskQueue }: Pick<RunDescription, 'workflowId' | 'running' | 'taskQueue'>,
  kind: RunKind<Spec, Result, Progress>,
  endSaysAll = false,
): Promise<Known<Result, Progress>> {
  const tellsProgress = kind.description.methods.progress !== undefined;
  const asksProgress = tellsProgress && (running || !endSaysAll);
  const progress = asksProgress ? await ask(client, () => kind.progress(client, workflowId, {})) : undefined;
  if (running && tellsProgress && progress === undefined) throw noAnswer(taskQueue);
  const end = running ? {} : await endOf(() => kind.result(client, workflowId, {}));
  return { ...end, progress };
}

/** A run is under way, and no worker answers for it. */
export function noAnswer(taskQueue: string): CliError {
  return new CliError('NoAnswer', `The run is there, but nobody answers for it. ${noWorkerText(taskQueue)}`);
}
