import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import type { ReflectionClient } from '../../../client';
import { readerWithoutPayloads } from '../../../calls/without-payloads';
import { KEPT_PAGE_FIELD } from '../../../loop/page/kept-page';
import { RunNotFoundError } from '../../../loop/errors/errors';

export interface RunDescription {
  workflowId: string;
  runId: string;
  type: string;
  status: string;
  running: boolean;
  taskQueue: string;
  startedAt: Date;
  events: number;
  /** The lines of its page when it last waited for a person or ended. */
  kept?: string[];
}

function readKept(memo: Record<string, unknown> | undefined): { kept?: string[] } {
  const kept = memo?.[KEPT_PAGE_FIELD];
  return Array.isArray(kept) && kept.every((line) => typeof line === 'string') ? { kept } : {};
}

/** Describes a run. A memo that this process cannot read, such as an encrypted one, does not hide the rest. */
async function describeExecution(
  { temporal }: ReflectionClient,
  workflowId: string,
): Promise<WorkflowExecutionDescription> {
  try {
    return await temporal.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error;
    return readerWithoutPayloads(temporal).getHandle(workflowId).describe();
  }
}

/** Looks a run up; its latest run when the id was used more than once. */
export async function describeRun(client: ReflectionClient, workflowId: string): Promise<RunDescription> {
  try {
    const { runId, type, status, taskQueue, startTime, historyLength, memo } = await describeExecution(
      client,
      workflowId,
    );
    return {
      workflowId,
      runId,
      type,
      status: status.name,
      running: status.name === 'RUNNING',
      taskQueue,
      startedAt: startTime,
      events: historyLength,
      ...readKept(memo),
    };
  } catch (error) {
    throw error instanceof WorkflowNotFoundError ? new RunNotFoundError(workflowId) : error;
  }
}
