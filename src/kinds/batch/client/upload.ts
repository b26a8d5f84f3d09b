import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { runConcurrently } from '../../../lib/base/concurrently';
import { type BatchItem, type BatchPage, pageId } from '../state/batch';
import type { BatchLine } from '../contract/batch-results';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { CallOptions } from '../../../client/calls/call-options';
import { withTypedErrors } from '../../../client/calls/errors/with-typed-errors';
import { findBatch, type KnownBatch } from './batch-run';
import { pageLinesOf } from './batch-lines';
import type { PagedItems } from './pages';

/** Pages that are uploaded at the same time. */
const AT_ONCE = 4;

/** Items of a batch on their way to its pages. */
interface Upload {
  temporal: Client;
  taskQueue: string;
  workflowId: string;
  paged: PagedItems;
  loop: ReflectionSpec;
  options: CallOptions;
  /** The batch that has ended whose failures are run again. */
  again?: KnownBatch;
  onUpload?: (uploaded: number, items: number) => void;
}

const GOOD: readonly BatchLine['status'][] = ['passed', 'not_passed'];

/**
 * Returns the items of an earlier page that have not run yet. Ends the page if it still waits because its batch was terminated.
 */
async function restOfPage(upload: Upload, again: KnownBatch, page: number): Promise<Pick<BatchPage, 'items' | 'done'>> {
  const { temporal, workflowId, paged, options } = upload;
  const items: readonly BatchItem[] = paged.pages[page]!;
  const handle = temporal.workflow.getHandle(pageId(workflowId, paged.digest, page));
  await handle.signal('finish').catch(() => undefined);
  const lines = (await pageLinesOf(temporal, workflowId, { ...again, status: 'COMPLETED' }, page, options)) ?? [];
  const done = lines.filter(({ status }) => GOOD.includes(status));
  const ended = new Set(done.map(({ index }) => index));
  return { items: items.filter(({ index }) => !ended.has(index)), done };
}

async function uploadPage(upload: Upload, page: number): Promise<void> {
  const { temporal, taskQueue, workflowId, paged, loop, options, again } = upload;
  const { digest } = paged;
  const left = again ? await restOfPage(upload, again, page) : { items: paged.pages[page]!, done: [] };
  const attempt = again ? again.attempt + 1 : 1;
  const argument: BatchPage = { batch: workflowId, page, loop, ...left, attempt };
  const id = pageId(workflowId, digest, page);
  const start = (workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE') =>
    temporal.workflow.start('reflectionBatchPage', {
      workflowId: id,
      taskQueue,
      args: [argument],
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `page ${page + 1} of ${paged.pages.length}`,
    });
  const call = { method: 'batches.start', kind: 'start', workflowId: id } as const;
  await withTypedErrors(temporal, call, options, async () => {
    try {
      await start(again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE');
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // It ended: with its batch, which another process has started meanwhile, or because no process did.
      if (!(await findBatch(temporal, workflowId, 'batches.start', options))) await start('ALLOW_DUPLICATE');
    }
  });
}

/** Starts the pages of a batch. Those that an earlier call has started are left as they are. */
export async function uploadPages(upload: Upload): Promise<void> {
  const { paged, onUpload } = upload;
  let uploaded = 0;
  await runConcurrently(paged.pages.entries(), AT_ONCE, async ([page, { length }]) => {
    await uploadPage(upload, page);
    uploaded += length;
    onUpload?.(uploaded, paged.items);
  });
}
