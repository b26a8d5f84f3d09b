import { type Client, WorkflowFailedError, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { pageId } from '../state/batch';
import type { BatchLine, BatchLines } from '../contract/batch-results';
import type { ReflectionResult } from '../../../loop/contract/results';
import { BatchItemsGoneError, type GoneItems } from '../../../loop/errors/errors';
import type { CallOptions } from '../../../calls/call-options';
import { withTypedErrors } from '../../../calls/errors/with-typed-errors';
import { type KnownBatch, pageSizesOf } from './batch-run';

/** The statuses of ended batches that asked their pages to finish. */
const TOLD_PAGES = ['COMPLETED', 'CANCELLED'];
/** All pages of a batch finish at once, and there may be hundreds. */
const FINISH = '5m';

/** Asks a worker for the lines of a page that was terminated, or failed: items that were open count as failed. */
async function lostLinesOf(handle: WorkflowHandle): Promise<BatchLine[]> {
  const { lines } = await handle.query<BatchLines>('lines');
  const error = {
    type: 'PageLost',
    message: 'The run of its page was terminated, or failed, before this item ended.',
  };
  return lines.map((line) => (line.status === 'not_started' ? { ...line, status: 'failed', error } : line));
}

/** Reads the lines of a page: its result, or what its worker answers if it has none. Undefined: the page is gone. */
async function linesOf(temporal: Client, id: string, isFinishing: boolean): Promise<BatchLine[] | undefined> {
  const handle = temporal.workflow.getHandle(id);
  try {
    const { status } = await handle.describe();
    const isRunning = status.name === 'RUNNING' && !isFinishing;
    const { lines } = isRunning ? await handle.query<BatchLines>('lines') : ((await handle.result()) as BatchLines);
    return lines;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return await lostLinesOf(handle);
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
