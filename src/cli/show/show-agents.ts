import type { ReflectionClient } from '../../client';
import { agentsStanding, reportText } from '../views/agents-view';
import { CliError } from '../support/cli-error';
import type { RunDescription } from './describe-run';
import { inspectRun } from './inspect-run';
import { command } from '../views/printable';
import { failureJson, failureLine, runHead } from './run-head';

/** What `reflect show` says of a population. Its output is its report. */
export async function agentsShown(
  client: ReflectionClient,
  description: RunDescription,
  options: { json?: boolean; output?: boolean },
): Promise<string> {
  const { workflowId, runId, status } = description;
  const {
    result: report,
    failure,
    progress,
  } = await inspectRun(client, description, {
    result: () => client.agentsReport(workflowId),
    progress: () => client.agentsProgress(workflowId),
    endSaysAll: true,
  });
  if (options.output) {
    if (!report) {
      throw new CliError(
        'NoOutput',
        `The population has no report: it is ${status.toLowerCase()}.`,
        'Look at it without --output.',
      );
    }
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
