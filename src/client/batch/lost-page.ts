import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { temporal as proto } from '@temporalio/proto';
import { type BatchItem, type BatchLine, type BatchPage, itemRunId } from '../../domain/batch/batch';
import { beginItem, endedLine, failedLine, initialPage, lostLines, recordLine } from '../../domain/batch/page-state';
import type { ReflectionResult } from '../../domain/versions/result';

type Event = proto.api.history.v1.IHistoryEvent;
type Read = <T>(payloads: proto.api.common.v1.IPayloads | null | undefined) => Promise<T>;

/** The run of a loop that an event tells the end of. */
function endedRun(event: Event): string | null | undefined {
  const { startChildWorkflowExecutionFailedEventAttributes: notStarted } = event;
  const about =
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes;
  return about?.workflowExecution?.workflowId ?? notStarted?.workflowId;
}

async function lineOf(page: BatchPage, item: BatchItem, event: Event, read: Read): Promise<BatchLine> {
  const completed = event.childWorkflowExecutionCompletedEventAttributes;
  if (completed) return endedLine(page, item, await read<ReflectionResult>(completed.result));
  const failure = event.childWorkflowExecutionFailedEventAttributes?.failure;
  const cause = failure?.applicationFailureInfo;
  if (failure && cause) return failedLine(page, item, cause.type ?? 'RunFailed', failure.message ?? '');
  if (event.childWorkflowExecutionCanceledEventAttributes)
    return failedLine(page, item, 'Cancelled', 'The run was cancelled.');
  return failedLine(page, item, 'RunFailed', 'The run was terminated, or timed out.');
}

/**
 * What the history says of a page that was terminated, or has no result for another reason. No worker has to be there for it.
 *
 * @throws WorkflowNotFoundError
 */
export async function lostPageLines(temporal: Client, pageRun: string): Promise<BatchLine[]> {
  const { events } = await temporal.workflow.getHandle(pageRun).fetchHistory();
  const { loadedDataConverter } = temporal.options;
  const read: Read = (payloads) => decodeFromPayloadsAtIndex(loadedDataConverter, 0, payloads?.payloads);
  const page = await read<BatchPage>(events?.[0]?.workflowExecutionStartedEventAttributes?.input);
  const state = initialPage(page);
  const items = new Map(page.items.map((item) => [itemRunId(page, item.id), item]));
  for (const event of events ?? []) {
    const begun = items.get(event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId ?? '');
    if (begun) beginItem(state, begun);
    const ended = items.get(endedRun(event) ?? '');
    if (ended) recordLine(state, await lineOf(page, ended, event, read), false);
  }
  return lostLines(page, state);
}
