import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { BatchSpec } from '../contract/batch';
import type { ClientCall } from '../../../loop/errors/call-errors';
import { RunNotFoundError } from '../../../loop/errors/errors';
import type { CallOptions } from '../../../calls/call-options';
import { withTypedErrors } from '../../../calls/errors/with-typed-errors';

/** The field of a batch's memo that says what its pages are: it can be read without a worker. */
export const BATCH_FIELD = 'reflectionBatch';

export interface BatchMemo {
  digest: string;
  pages: number;
  /** From 1; more after retries. */
  attempt: number;
}

export interface KnownBatch extends BatchMemo {
  runId: string;
  status: string;
}

function isMemo(value: unknown): value is BatchMemo {
  const { digest, pages, attempt } = (value ?? {}) as Partial<BatchMemo>;
  return typeof digest === 'string' && typeof pages === 'number' && typeof attempt === 'number';
}

export async function findBatch(
  temporal: Client,
  workflowId: string,
  method: string,
  options: CallOptions,
): Promise<KnownBatch | undefined> {
  const call: ClientCall = { method, kind: 'question', workflowId };
  return withTypedErrors(temporal, call, options, async () => {
    try {
      const { runId, raw, status, memo } = await temporal.workflow.getHandle(workflowId).describe();
      const known = memo?.[BATCH_FIELD];
      if (!isMemo(known)) return undefined;
      return { ...known, runId: raw.workflowExecutionInfo?.firstRunId || runId, status: status.name };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  });
}

export async function requireBatch(
  temporal: Client,
  workflowId: string,
  method: string,
  options: CallOptions,
): Promise<KnownBatch> {
  const found = await findBatch(temporal, workflowId, method, options);
  if (!found) throw new RunNotFoundError(workflowId);
  return found;
}

export async function pageSizesOf(
  temporal: Client,
  workflowId: string,
  method: string,
  options: CallOptions,
): Promise<readonly number[]> {
  const { namespace, loadedDataConverter } = temporal.options;
  return withTypedErrors(temporal, { method, kind: 'question', workflowId }, options, async () => {
    const { history } = await temporal.workflow.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
      maximumPageSize: 1,
    });
    const { input } = history?.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    const { pages } = await decodeFromPayloadsAtIndex<BatchSpec>(loadedDataConverter, 0, input?.payloads);
    return pages;
  });
}
