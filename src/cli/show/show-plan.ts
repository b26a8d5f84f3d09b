import type { ReflectionClient } from '../../client';
import { textOf } from '../../domain/base/json';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { inspectRun } from './inspect-run';
import { planStanding, planText, taskTable } from '../views/plan-view';
import { oneLine, seconds } from '../views/printable';
import { failureJson, failureLine, runHead } from './run-head';

/** What `reflect show` says of a plan. Its output is what its tasks made, by their ids. */
export async function planShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status, startedAt } = description;
  const { result, failure, progress } = await inspectRun(client, description, {
    result: () => client.planResult(workflowId),
    progress: () => client.planProgress(workflowId),
  });
  if (options.output) {
    if (!result) {
      throw new CliError(
        'NoOutput',
        `The plan has no output: it is ${status.toLowerCase()}.`,
        'Look at the run without --output.',
      );
    }
    return textOf(Object.fromEntries(result.results.map(({ taskId, output = null }) => [taskId, output])));
  }
  if (options.json) {
    return JSON.stringify({ workflowId, runId, status, progress, result, ...failureJson(failure) }, null, 2);
  }
  const goal = progress?.goal ?? '';
  const head = runHead(client, description, { about: goal === '' ? [] : [oneLine(goal, 200)] });
  if (result) return [...head, planText(result, progress)].join('\n');
  const failed = failure ? [failureLine(failure), ''] : [];
  if (!progress) return [...head, ...failed].join('\n');
  const time = failure ? [] : [seconds(Date.now() - startedAt.getTime())];
  return [
    ...head,
    ...failed,
    [planStanding(progress), ...time].join(' · '),
    '',
    taskTable(progress.tasks, failure !== undefined),
  ].join('\n');
}
