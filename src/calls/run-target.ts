import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { describeValue } from '../lib/contract/issue-sentence';
import { InvalidConfigError } from '../loop/errors/errors';
import type { RunReference } from './call-options';
import { readerWithoutPayloads } from './without-payloads';

/**
 * A run: an id for the run that has it now, or the value that `start` or `list` returned for that very run and the chain
 * that it belongs to, even if another run has its id later.
 */
export type RunTarget = string | RunReference;

/** The history of a run by its last event only. */
const CLOSE_EVENT = 2;

/** Returns a target in two parts. Throws InvalidConfigError for anything else, such as a run that was not awaited. */
export function partsOf(run: RunTarget): { workflowId: string; runId?: string } {
  const parts = typeof run === 'string' ? { workflowId: run } : (run as Partial<RunReference> | null | undefined);
  const { workflowId } = parts ?? {};
  if (typeof workflowId === 'string' && workflowId !== '') return parts as RunReference;
  const what = run instanceof Promise ? 'a Promise: await it' : describeValue(run);
  const message = `must be the id of a run, or what \`start\` or \`list\` returned, and is ${run === ('' as RunTarget) ? 'an empty text' : what}`;
  throw new InvalidConfigError([{ path: '/workflowId', message }]);
}

async function describeExecution(temporal: Client, workflowId: string, runId?: string) {
  try {
    const {
      raw,
      runId: latest,
      status,
      type,
    } = await readerWithoutPayloads(temporal).getHandle(workflowId, runId).describe();
    // Servers of before Temporal 1.24 do not name the first run.
    const first = raw.workflowExecutionInfo?.firstRunId || undefined;
    return { first, runId: latest, type, isRunning: status.name === 'RUNNING' };
  } catch (error) {
    if (runId !== undefined && error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Finds the first run of a target's chain, by which updates are bound to the chain; undefined for an id alone. */
export async function firstRunOf(temporal: Client, run: RunTarget): Promise<string | undefined> {
  const { workflowId, runId } = partsOf(run);
  if (runId === undefined) return undefined;
  // A run that is no longer kept was the first one, as far as can be known.
  return (await describeExecution(temporal, workflowId, runId))?.first ?? runId;
}

export async function nextRunOf(temporal: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await temporal.workflow.workflowService.getWorkflowExecutionHistory({
    namespace: temporal.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: CLOSE_EVENT,
  });
  const end = history?.events?.at(-1);
  return end?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
}

interface LatestRun {
  runId: string;
  type: string;
  isRunning: boolean;
}

export async function latestRunOf(temporal: Client, run: RunTarget): Promise<LatestRun> {
  const { workflowId, runId } = partsOf(run);
  const latest = (await describeExecution(temporal, workflowId))!;
  if (runId === undefined || runId === latest.runId) return latest;
  const target = await describeExecution(temporal, workflowId, runId);
  if ((target?.first ?? runId) === latest.first) return latest;
  // Another run has the id by now.
  let last = runId;
  for (let next: string | undefined = runId; next; next = await nextRunOf(temporal, workflowId, next)) last = next;
  const isLatest = last === latest.runId;
  return { runId: last, type: (target ?? latest).type, isRunning: isLatest && latest.isRunning };
}
