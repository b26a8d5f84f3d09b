import type { Progress } from '../loop/contract/results';
import { InvalidSpecError, ReflectionFailedError, RunFailedError } from '../loop/errors/errors';
import type { RunReference } from './call-options';

/** The error of a run that ended without a result. */
export type RunFailure = InvalidSpecError | ReflectionFailedError | RunFailedError;

/**
 * A run as `get` finds it. One that has ended is `completed`, with its result, whatever its reason; or `failed`, with the
 * error that `result` throws of it.
 */
export type FoundRun<Result, Now = Progress> = RunReference &
  (
    | { status: 'running'; progress: Now }
    | { status: 'completed'; result: Result }
    | { status: 'failed'; error: RunFailure }
  );

export interface RunEnd<Result> {
  result?: Result;
  failure?: RunFailure;
}

/** The result or the failure of a run that has ended; failures of other kinds, such as a server that is away, are thrown. */
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
