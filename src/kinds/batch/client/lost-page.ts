import type { Client } from '@temporalio/client';
import { ApplicationFailure, type LoadedDataConverter } from '@temporalio/common';
import {
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow';
import type { temporal as proto } from '@temporalio/proto';
import { type Rules, RULES, rulesMark } from '../../../loop/base/rules';
import type { TokenUsage } from '../../../lib/contract/values';
import { type BatchPage, itemRunId } from '../state/batch';
import type { BatchLine } from '../contract/batch-results';
import { beginItem, makeEndedLine, makeFailedLine, initialPage, listLostLines, recordLine } from '../state/page-state';
import type { StepFailure } from '../../../loop/state/loop-state';
import type { ReflectionResult } from '../../../loop/contract/results';
import { reportedUsage } from '../../../client/calls/reported-usage';

type Event = proto.api.history.v1.IHistoryEvent;
type Payloads = proto.api.common.v1.IPayloads | null | undefined;

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

/** Describes how the loop of an item failed, and what it cost if it says so. */
async function failureOf(event: Event, converter: LoadedDataConverter): Promise<[StepFailure, TokenUsage?]> {
  if (event.childWorkflowExecutionCanceledEventAttributes) {
    return [{ type: 'Cancelled', message: 'The run was cancelled.' }];
  }
  const { failure } = event.childWorkflowExecutionFailedEventAttributes ?? {};
  const error = await decodeOptionalFailureToOptionalError(converter, failure);
  if (!(error instanceof ApplicationFailure)) {
    return [{ type: 'RunFailed', message: error?.message ?? 'The run was terminated, or timed out.' }];
  }
  return [{ type: error.type ?? 'RunFailed', message: error.message }, reportedUsage(error.details?.[0])];
}

/** Returns the id of the patch that an event marks, as the SDK's core writes it. */
function patchOf({ markerRecordedEventAttributes: marker }: Event): string | undefined {
  const data = marker?.markerName === 'core_patch' ? marker.details?.['patch-data']?.payloads?.[0]?.data : undefined;
  return data ? (JSON.parse(Buffer.from(data).toString()) as { id: string }).id : undefined;
}

/** Finds the rules that a page followed. Runs that began with 0.1.0 carry no mark. */
function rulesOf(events: readonly Event[]): Rules {
  const marks = new Set(events.map(patchOf));
  return RULES.find((number) => marks.has(rulesMark(number)));
}

/**
 * Reads the results of a page from its history: of a page that was terminated, or has no result for another reason. Needs no
 * worker.
 *
 * @throws WorkflowNotFoundError
 */
export async function readLostPage(temporal: Client, pageRun: string): Promise<BatchLine[]> {
  const { events } = await temporal.workflow.getHandle(pageRun).fetchHistory();
  const rules = rulesOf(events ?? []);
  const { loadedDataConverter } = temporal.options;
  const read = <T>(payloads: Payloads): Promise<T> =>
    decodeFromPayloadsAtIndex(loadedDataConverter, 0, payloads?.payloads);
  const page = await read<BatchPage>(events?.[0]?.workflowExecutionStartedEventAttributes?.input);
  const state = initialPage(page);
  const items = new Map(page.items.map((item) => [itemRunId(page, item.id), item]));
  for (const event of events ?? []) {
    const begun = items.get(event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId ?? '');
    if (begun) beginItem(state, begun);
    const ended = items.get(endedRun(event) ?? '');
    if (!ended) continue;
    const completed = event.childWorkflowExecutionCompletedEventAttributes;
    const line = completed
      ? makeEndedLine(page, ended, await read<ReflectionResult>(completed.result), rules)
      : makeFailedLine(page, ended, ...(await failureOf(event, loadedDataConverter)));
    recordLine(state, line, false);
  }
  return listLostLines(page, state);
}
