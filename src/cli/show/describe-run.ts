import { WorkflowNotFoundError } from '@temporalio/client';
import type { ReflectionClient } from '../../client';
import { RunNotFoundError } from '../../domain/errors/errors';

/** What the server knows of a run without asking a worker. */
export interface RunDescription {
  workflowId: string;
  runId: string;
  /** Workflow type. */
  type: string;
  /** Temporal's status, such as RUNNING. */
  status: string;
  running: boolean;
  taskQueue: string;
  startedAt: Date;
}

/** Looks a run up; its latest run when the id was used more than once. */
export async function describeRun(client: ReflectionClient, workflowId: string): Promise<RunDescription> {
  try {
    const { runId, type, status, taskQueue, startTime } = await client.temporal.workflow
      .getHandle(workflowId)
      .describe();
    return {
      workflowId,
      runId,
      type,
      status: status.name,
      running: status.name === 'RUNNING',
      taskQueue,
      startedAt: startTime,
    };
  } catch (error) {
    throw error instanceof WorkflowNotFoundError ? new RunNotFoundError(workflowId) : error;
  }
}
