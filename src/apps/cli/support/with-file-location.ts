import { AlreadyRunningError } from '../../../loop/errors/call-errors';
import { InvalidSpecError, RunFailedError } from '../../../loop/errors/errors';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { type FileProblem, SpecFileError } from '../../yaml';
import { CliError } from './cli-error';

interface Located {
  file: string;
  locate(problem: SpecProblem): FileProblem[];
}

export function lookOrRename(workflowId: string): string {
  return `Look at it with \`npx reflect show ${workflowId}\`, or choose another --workflow-id.`;
}

/** The error for a run of a file that was not started; `advice` is for an id whose run is under way. */
export function startError(error: unknown, read: Located, advice: (workflowId: string) => string): unknown {
  if (!(error instanceof AlreadyRunningError)) return withFileLocation(error, read);
  const { workflowId } = error;
  const message = `The run "${workflowId}" is there already, and it has not ended.`;
  return new CliError('AlreadyRunning', message, advice(workflowId));
}

/** Locates in the file a problem that only the worker could find. Returns any other error as it is. */
export function withFileLocation(error: unknown, { file, locate }: Located): unknown {
  if (error instanceof InvalidSpecError) return new SpecFileError('InvalidSpec', file, error.problems.flatMap(locate));
  if (!(error instanceof RunFailedError)) return error;
  const { type, details } = error;
  if (type !== 'UnknownAction' && type !== 'UnknownModel') return error;
  return new SpecFileError(type, file, (details[0] as SpecProblem[]).flatMap(locate));
}
