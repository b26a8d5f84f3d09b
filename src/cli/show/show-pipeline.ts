import pc from 'picocolors';
import type { ReflectionClient } from '../../client';
import { textOf } from '../../domain/base/json';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { inspectRun } from './inspect-run';
import { nodeTable, pipelineText, stateText } from '../views/pipeline-view';
import { count, seconds } from '../views/printable';
import { costText } from '../views/result-view';
import { failureJson, failureLine, runHead } from './run-head';

/** What `reflect show` says of a pipeline. */
export async function pipelineShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status, startedAt } = description;
  const { result, failure, progress } = await inspectRun(client, description, {
    result: () => client.pipelineResult(workflowId),
    progress: () => client.pipelineProgress(workflowId),
  });
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
