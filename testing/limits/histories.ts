import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

const { EventType, WorkflowTaskFailedCause, TimeoutType } = temporal.api.enums.v1;
type Event = temporal.api.history.v1.IHistoryEvent;

/** How a run ended, or that it has not. */
export type RunEnd =
  | { status: 'completed'; result: unknown }
  | { status: 'failed'; type: string; message: string }
  | { status: 'terminated' | 'timed out' | 'cancelled'; message: string }
  | { status: 'running' };

/** What the history of one run says, as far as limits are concerned. */
export interface RunFacts {
  workflowId: string;
  runId: string;
  type: string;
  end: RunEnd;
  events: number;
  bytes: number;
  /** Workflow tasks that failed or ran out of time, with what the worker or the server said. */
  failedTasks: string[];
  /** Workflow tasks that the server closed because of what came meanwhile. */
  closedTasks: number;
  /** The highest attempt that a workflow task came to; a task that fails is not written down again each time. */
  attempts: number;
  /** Runs that this one started. */
  children: string[];
  next?: string;
}

/**
 * Causes that a correct run meets, too: something came while the worker was answering, and with `FORCE_CLOSE_COMMAND` more of it
 * (100 events, 2 MiB) than the server keeps beside a task that is under way.
 */
const ORDINARY = new Set([
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_UPDATE,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
]);

/** A workflow task that a worker took and did not answer in time. */
export const LATE = 'TIMED_OUT';

/** Events of a page at most: events may have 2 MiB each. */
const PAGE = 500;

/** Reads a run's history page by page, however large it is. */
async function* eventsOf(client: Client, workflowId: string, runId: string): AsyncIterable<Event> {
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: PAGE,
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
}

function failedTask(event: Event): string | undefined {
  const failed = event.workflowTaskFailedEventAttributes;
  if (failed && !ORDINARY.has(failed.cause ?? 0)) {
    const cause = (WorkflowTaskFailedCause[failed.cause ?? 0] ?? '').replace('WORKFLOW_TASK_FAILED_CAUSE_', '');
    return `${cause}: ${failed.failure?.message ?? ''}`.slice(0, 300);
  }
  const late = event.workflowTaskTimedOutEventAttributes;
  // Of a sticky queue: its worker was stopped or busy, and another takes the task.
  if (!late || late.timeoutType === TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START) return undefined;
  return LATE;
}

function endOf(event: Event): RunEnd | undefined {
  switch (event.eventType) {
    case EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
      // Read by the client: it may be stored outside of the history.
      return { status: 'completed', result: undefined };
    case EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED: {
      const failure = event.workflowExecutionFailedEventAttributes?.failure;
      const type = failure?.applicationFailureInfo?.type ?? '(no type)';
      return { status: 'failed', type, message: failure?.message ?? '' };
    }
    case EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED: {
      const { reason } = event.workflowExecutionTerminatedEventAttributes ?? {};
      return { status: 'terminated', message: reason ?? '' };
    }
    case EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
      return { status: 'timed out', message: '' };
    case EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
      return { status: 'cancelled', message: '' };
    default:
      return undefined;
  }
}

/** What one run has come to. */
export async function factsOf(client: Client, workflowId: string, runId: string): Promise<RunFacts> {
  const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
  const facts: RunFacts = {
    workflowId,
    runId,
    type: raw.workflowExecutionInfo?.type?.name ?? '',
    end: { status: 'running' },
    events: 0,
    bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0),
    failedTasks: [],
    closedTasks: 0,
    attempts: raw.pendingWorkflowTask?.attempt ?? 0,
    children: [],
  };
  for await (const event of eventsOf(client, workflowId, runId)) {
    facts.events += 1;
    const failed = failedTask(event);
    if (failed !== undefined) facts.failedTasks.push(failed);
    else if (event.workflowTaskFailedEventAttributes) facts.closedTasks += 1;
    facts.attempts = Math.max(facts.attempts, event.workflowTaskScheduledEventAttributes?.attempt ?? 0);
    const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
    if (child?.workflowId) facts.children.push(child.workflowId);
    facts.end = endOf(event) ?? facts.end;
    const next =
      event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ??
      event.workflowExecutionCompletedEventAttributes?.newExecutionRunId;
    if (next) facts.next = next;
  }
  if (facts.end.status === 'completed' && !facts.next) {
    facts.end.result = await client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
  }
  return facts;
}

/** A run, the runs that followed it, and those that it started. */
export async function familyOf(client: Client, workflowId: string, firstRunId: string): Promise<RunFacts[]> {
  const family: RunFacts[] = [];
  const children = new Set<string>();
  let runId: string | undefined = firstRunId;
  while (runId !== undefined) {
    const facts: RunFacts = await factsOf(client, workflowId, runId);
    family.push(facts);
    for (const child of facts.children) children.add(child);
    runId = facts.next;
  }
  for (const child of children) {
    const { raw } = await client.workflow.getHandle(child).describe();
    const first = raw.workflowExecutionInfo?.firstRunId;
    if (first) family.push(...(await familyOf(client, child, first)));
  }
  return family;
}
