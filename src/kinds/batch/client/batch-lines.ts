import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { pageId, type BatchPage, itemRunId } from '../state/batch';
import type { BatchLine, BatchLines } from '../contract/batch-results';
import type { ReflectionResult } from '../../../loop/contract/results';
import { BatchItemsGoneError, type GoneItems } from '../../../loop/errors/errors';
import type { CallOptions } from '../../../client/calls/call-options';
import { withTypedErrors } from '../../../client/calls/errors/with-typed-errors';
import { type KnownBatch, pageSizesOf } from './batch-run';
import { ApplicationFailure, type LoadedDataConverter } from '@temporalio/common';
import {
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow';
import type { temporal as proto } from '@temporalio/proto';
import { type Rules, RULES, rulesMark } from '../../../loop/base/rules';
import type { TokenUsage } from '../../../lib/contract/values';
import { beginItem, makeEndedLine, makeFailedLine, initialPage, listLostLines, recordLine } from '../state/page-state';
import type { StepFailure } from '../../../loop/state/loop-state';
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
async function readLostPage(temporal: Client, pageRun: string): Promise<BatchLine[]> {
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

/** The statuses of ended batches that asked their pages to finish. */
const TOLD_PAGES = ['COMPLETED', 'CANCELLED'];
/** All pages of a batch finish at once, and there may be hundreds. */
const FINISH = '5m';

/**
 * Reads the lines of a page: from its worker while it runs, else its result; of one that has none, from its history.
 * Undefined: it is gone.
 */
async function linesOf(temporal: Client, id: string, isFinishing: boolean): Promise<BatchLine[] | undefined> {
  const handle = temporal.workflow.getHandle(id);
  try {
    const { status } = await handle.describe();
    const isRunning = status.name === 'RUNNING' && !isFinishing;
    const { lines } = isRunning ? await handle.query<BatchLines>('lines') : ((await handle.result()) as BatchLines);
    return lines;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return await readLostPage(temporal, id);
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function readOmittedOutput(
  temporal: Client,
  { outputOmitted: _omitted, ...line }: BatchLine,
): Promise<BatchLine> {
  try {
    const result = (await temporal.workflow.getHandle(line.workflowId!).result()) as ReflectionResult;
    return { ...line, output: result.finalOutput };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { ...line, outputOmitted: true };
    throw error;
  }
}

export async function pageLinesOf(
  temporal: Client,
  workflowId: string,
  { digest, status }: Pick<KnownBatch, 'digest' | 'status'>,
  page: number,
  options: CallOptions,
): Promise<BatchLine[] | undefined> {
  const id = pageId(workflowId, digest, page);
  const call = { method: 'batches.results', kind: 'question', workflowId: id } as const;
  const isFinishing = TOLD_PAGES.includes(status);
  const { timeout = isFinishing ? FINISH : undefined } = options;
  return withTypedErrors(temporal, call, { ...options, timeout }, () => linesOf(temporal, id, isFinishing));
}

async function itemsOf(
  temporal: Client,
  workflowId: string,
  { digest }: KnownBatch,
  pages: readonly number[],
  options: CallOptions,
): Promise<GoneItems[]> {
  const sizes = await pageSizesOf(temporal, workflowId, 'batches.results', options);
  return pages.map((page) => {
    const from = sizes.slice(0, page).reduce((sum, size) => sum + size, 0);
    return { page: pageId(workflowId, digest, page), from, to: from + sizes[page]! - 1 };
  });
}

export async function* readBatchLines(
  temporal: Client,
  workflowId: string,
  batch: KnownBatch,
  options: CallOptions,
): AsyncIterableIterator<BatchLine, void> {
  const gone: number[] = [];
  for (let page = 0; page < batch.pages; page += 1) {
    const lines = await pageLinesOf(temporal, workflowId, batch, page, options);
    if (!lines) gone.push(page);
    for (const line of lines ?? []) {
      const call = { method: 'batches.results', kind: 'question', workflowId: line.workflowId } as const;
      yield line.outputOmitted
        ? await withTypedErrors(temporal, call, options, () => readOmittedOutput(temporal, line))
        : line;
    }
  }
  if (gone.length === 0) return;
  throw new BatchItemsGoneError(workflowId, await itemsOf(temporal, workflowId, batch, gone, options));
}
