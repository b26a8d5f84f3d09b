import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { pageId } from '../state/batch';
import type { BatchLine, BatchLines } from '../contract/batch-results';
import type { ReflectionResult } from '../../../loop/contract/results';
import { BatchItemsGoneError, type GoneItems } from '../../../loop/errors/errors';
import type { CallOptions } from '../../../client/calls/call-options';
import { withTypedErrors } from '../../../client/calls/errors/with-typed-errors';
import { type KnownBatch, pageSizesOf } from './batch-run';
import { readLostPage } from './lost-page';

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

/** Reads an output that was too large for its page from the run, if that is still there. */
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

/**
 * Reads the results of all items, in the order of the input.
 *
 * @throws BatchItemsGoneError once all others were given, if a page is gone
 */
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
