import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { type BatchLine, type BatchLines, pageId } from '../../domain/batch/batch';
import type { ReflectionResult } from '../../domain/versions/result';
import { RunNotFoundError } from '../../domain/errors/errors';
import type { CallOptions } from '../call-options';
import { withTypedErrors } from '../errors/with-typed-errors';
import type { KnownBatch } from './batch-run';

/** How batches end that told their pages to finish. */
const TOLD_PAGES = ['COMPLETED', 'CANCELLED'];
/** All pages of a batch finish at once, and there may be hundreds. */
const FINISH = '5m';

/** The lines of a page: from its worker while it runs, else its result. Undefined: it is gone, or was terminated. */
async function linesOf(temporal: Client, id: string, isFinishing: boolean): Promise<BatchLine[] | undefined> {
  const handle = temporal.workflow.getHandle(id);
  try {
    const { status } = await handle.describe();
    const isRunning = status.name === 'RUNNING' && !isFinishing;
    const { lines } = isRunning ? await handle.query<BatchLines>('lines') : ((await handle.result()) as BatchLines);
    return lines;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError) return undefined;
    throw error;
  }
}

/** An output that was too large for its page is read from the run, if that is still there. */
async function whole(temporal: Client, { outputOmitted: _omitted, ...line }: BatchLine): Promise<BatchLine> {
  try {
    const result = (await temporal.workflow.getHandle(line.workflowId!).result()) as ReflectionResult;
    return { ...line, output: result.finalOutput };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { ...line, outputOmitted: true };
    throw error;
  }
}

/** What came of the items of a page. Undefined: the page is not there. */
export async function pageLinesOf(
  temporal: Client,
  workflowId: string,
  { digest, status }: Pick<KnownBatch, 'digest' | 'status'>,
  page: number,
  options: CallOptions,
): Promise<BatchLine[] | undefined> {
  const id = pageId(workflowId, digest, page);
  const call = { method: 'batch.results', kind: 'question', workflowId: id } as const;
  const isFinishing = TOLD_PAGES.includes(status);
  const { timeout = isFinishing ? FINISH : undefined } = options;
  return withTypedErrors(temporal, call, { ...options, timeout }, () => linesOf(temporal, id, isFinishing));
}

/** What came of all items, in the order of the input. @throws RunNotFoundError for a page that is not there */
export async function* batchLines(
  temporal: Client,
  workflowId: string,
  batch: KnownBatch,
  options: CallOptions,
): AsyncIterableIterator<BatchLine, void> {
  for (let page = 0; page < batch.pages; page += 1) {
    const lines = await pageLinesOf(temporal, workflowId, batch, page, options);
    if (!lines) throw new RunNotFoundError(pageId(workflowId, batch.digest, page));
    for (const line of lines) {
      const call = { method: 'batch.results', kind: 'question', workflowId: line.workflowId } as const;
      yield line.outputOmitted ? await withTypedErrors(temporal, call, options, () => whole(temporal, line)) : line;
    }
  }
}
