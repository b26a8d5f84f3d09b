import type { ReflectionClient } from '../client';
import { InvalidSpecError, RunFailedError } from '../domain/errors';
import { textOf } from '../domain/json';
import type { PlanProgress } from '../domain/plan/plan-page';
import type { PlanRunResult } from '../domain/plan/plan-spec';
import { ask } from './ask';
import { CliError } from './cli-error';
import type { RunDescription } from './describe-run';
import { planStanding, planText, taskTable } from './plan-view';
import { noWorkerText } from './pollers';
import { oneLine, seconds } from './printable';
import { failureJson, failureLine, runHead } from './run-head';

/** What is known of a plan: its result once it has one, and what its worker says. */
interface Known {
  result?: PlanRunResult;
  failure?: Error & { type: string };
  progress?: PlanProgress;
}

async function lookAt(client: ReflectionClient, { workflowId, running, taskQueue }: RunDescription): Promise<Known> {
  const answer = await ask(client, () => client.planProgress(workflowId));
  const progress = answer ? { progress: answer } : {};
  if (running && !answer)
    throw new CliError('NoAnswer', `The run is there, but nobody answers for it. ${noWorkerText(taskQueue)}`);
  if (running) return progress;
  try {
    return { result: await client.planResult(workflowId), ...progress };
  } catch (error) {
    if (error instanceof InvalidSpecError || error instanceof RunFailedError) return { failure: error, ...progress };
    throw error;
  }
}

/** What `reflect show` says of a plan. Its output is what its tasks made, by their ids. */
export async function planShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status, startedAt } = description;
  const { result, failure, progress } = await lookAt(client, description);
  if (options.output) {
    if (!result) throw new CliError('NoOutput', 'The plan has not ended.', 'Look at the run without --output.');
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
