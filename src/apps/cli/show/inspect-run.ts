import { QueryNotRegisteredError } from '@temporalio/client';
import type { ReflectionClient } from '../../../client';
import { endOf, type RunEnd } from '../../../calls/run-end';
import { ServerRequestError } from '../../../loop/errors/call-errors';
import { ask } from '../support/ask';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { whyNoAnswer } from '../support/pollers';

export interface Known<Result, Progress> extends RunEnd<Result> {
  progress?: Progress;
}

export interface RunsShown<Result, Progress> {
  result(workflowId: string): Promise<Result>;
  progress?(workflowId: string): Promise<Progress>;
}

/**
 * Collects the known facts about a run. A run that has ended reports its end without a worker, too. Throws CliError of type
 * `NoAnswer` for a run under way that no worker answers for.
 */
export async function inspectRun<Result, Progress>(
  client: ReflectionClient,
  { workflowId, running, taskQueue }: Pick<RunDescription, 'workflowId' | 'running' | 'taskQueue'>,
  runs: RunsShown<Result, Progress>,
  endSaysAll = false,
): Promise<Known<Result, Progress>> {
  const asksProgress = runs.progress !== undefined && (running || !endSaysAll);
  const progress = asksProgress ? await ask(client, async () => runs.progress?.(workflowId)) : undefined;
  if (running && asksProgress && progress === undefined) throw await noAnswer(client, taskQueue);
  const end = running ? {} : await endOf(() => runs.result(workflowId));
  return { ...end, progress };
}

export async function noAnswer(client: ReflectionClient, taskQueue: string): Promise<CliError> {
  const why = await whyNoAnswer(client, taskQueue);
  return new CliError('NoAnswer', `The run is there, but nobody answers for it. ${why}`);
}

export function servesNoLoop(error: unknown): boolean {
  return error instanceof ServerRequestError && error.cause instanceof QueryNotRegisteredError;
}

/** Returns the error for a user's own workflow, which reports nothing of a loop and takes no command for one. */
export function noLoop(workflowId: string, type: string): CliError {
  return new CliError(
    'NoLoop',
    `The run "${workflowId}" is a workflow of type ${type}, which does not answer for a loop.`,
    'If it runs a loop, have it call `serveMessages()` of `startReflection` (docs/embedding.md). Its page in the Web UI shows the steps.',
  );
}
