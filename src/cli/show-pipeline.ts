import pc from 'picocolors';
import type { ReflectionClient } from '../client';
import { ReflectionFailedError, RunFailedError } from '../domain/errors';
import { textOf } from '../domain/json';
import type { PipelineResult } from '../domain/pipeline';
import type { PipelineProgress } from '../domain/pipeline-progress';
import { ask } from './ask';
import { CliError } from './cli-error';
import type { RunDescription } from './describe-run';
import { nodeTable, pipelineText, stateText } from './pipeline-view';
import { noWorkerText } from './pollers';
import { count, seconds } from './printable';
import { costText } from './result-view';
import { failureJson, failureLine, runHead } from './run-head';

/** What is known of a pipeline: its result once it has one, and what its worker says. */
interface Known {
  result?: PipelineResult;
  failure?: ReflectionFailedError | RunFailedError;
  progress?: PipelineProgress;
}

async function lookAt(client: ReflectionClient, { workflowId, running, taskQueue }: RunDescription): Promise<Known> {
  const answer = await ask(client, () => client.pipelineProgress(workflowId));
  const progress = answer ? { progress: answer } : {};
  if (running && !answer)
    throw new CliError('NoAnswer', `The run is there, but nobody answers for it. ${noWorkerText(taskQueue)}`);
  if (running) return progress;
  try {
    return { result: await client.pipelineResult(workflowId), ...progress };
  } catch (error) {
    if (error instanceof ReflectionFailedError || error instanceof RunFailedError)
      return { failure: error, ...progress };
    throw error;
  }
}

/** What `reflect show` says of a pipeline. */
export async function pipelineShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status, startedAt } = description;
  const { result, failure, progress } = await lookAt(client, description);
  const state = result?.state ?? progress?.state;
  if (options.output) {
    if (!state)
      throw new CliError('NoOutput', 'Nobody knows the state of the run.', 'Look at the run without --output.');
    return textOf(state);
  }
  if (options.json) {
    return JSON.stringify({ workflowId, runId, status, progress, result, ...failureJson(failure) }, null, 2);
  }
  const head = runHead(client, description);
  if (result) return [...head, pipelineText(result, progress)].join('\n');
  const failed = failure ? [failureLine(failure), ''] : [];
  if (!progress) return [...head, ...failed].join('\n');
  const done = progress.nodes.filter((node) => node.status === 'done').length;
  const standing = [
    `${done} of ${count(progress.nodes.length, 'node')} done`,
    ...(failure ? [] : [seconds(Date.now() - startedAt.getTime())]),
    costText(progress.tokenUsage),
  ].join(' · ');
  return [
    ...head,
    ...failed,
    standing,
    '',
    nodeTable(progress.nodes),
    '',
    pc.bold('State so far'),
    stateText(progress.state ?? {}),
  ].join('\n');
}
