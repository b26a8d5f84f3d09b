import type { ReflectionClient } from '../client';
import type { AgentReflectionReport } from '../domain/agents/population';
import type { PopulationProgress } from '../domain/agents/population-state';
import { InvalidSpecError, RunFailedError } from '../domain/errors';
import { agentsStanding, reportText } from './agents-view';
import { ask } from './ask';
import { CliError } from './cli-error';
import type { RunDescription } from './describe-run';
import { noWorkerText } from './pollers';
import { command } from './printable';
import { failureJson, failureLine, runHead } from './run-head';

interface Known {
  report?: AgentReflectionReport;
  failure?: Error & { type: string };
  progress?: PopulationProgress;
}

async function lookAt(client: ReflectionClient, { workflowId, running, taskQueue }: RunDescription): Promise<Known> {
  if (running) {
    const progress = await ask(client, () => client.agentsProgress(workflowId));
    if (progress) return { progress };
    throw new CliError('NoAnswer', `The run is there, but nobody answers for it. ${noWorkerText(taskQueue)}`);
  }
  try {
    return { report: await client.agentsReport(workflowId) };
  } catch (error) {
    if (error instanceof InvalidSpecError || error instanceof RunFailedError) return { failure: error };
    throw error;
  }
}

/** What `reflect show` says of a population. Its output is its report. */
export async function agentsShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status } = description;
  const { report, failure, progress } = await lookAt(client, description);
  if (options.output) {
    if (!report) throw new CliError('NoOutput', 'The population has not finished.', 'Look at it without --output.');
    return JSON.stringify(report, null, 2);
  }
  if (options.json) {
    return JSON.stringify({ workflowId, runId, status, progress, report, ...failureJson(failure) }, null, 2);
  }
  const head = runHead(client, description);
  if (failure) return [...head, failureLine(failure)].join('\n');
  if (report) return [...head, reportText(report)].join('\n');
  return [
    ...head,
    agentsStanding(progress!),
    '',
    `Who reflected: ${command(`npx reflect agents reflections ${workflowId}`)}`,
    `End it: ${command(`npx reflect agents finish ${workflowId}`)}`,
  ].join('\n');
}
