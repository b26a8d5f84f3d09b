import { InvalidSpecError, RunFailedError } from '../../domain/errors/errors';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { type FileProblem, SpecFileError } from '../../yaml/index';

/** A mistake that only the worker could find, shown in the file. Any other error as it is. */
export function withFileLocation(
  error: unknown,
  { file, locate }: { file: string; locate(problem: SpecProblem): FileProblem[] },
): unknown {
  if (error instanceof InvalidSpecError) return new SpecFileError('InvalidSpec', file, error.problems.flatMap(locate));
  if (!(error instanceof RunFailedError)) return error;
  const { type, details } = error;
  if (type !== 'UnknownAction' && type !== 'UnknownModel') return error;
  return new SpecFileError(type, file, (details[0] as SpecProblem[]).flatMap(locate));
}
