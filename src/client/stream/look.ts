import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import { temporal as proto } from '@temporalio/proto';
import { streamedText } from '../../loop/contract/streamed-text';
import type { PendingCall } from './story';

const { WorkflowExecutionStatus: Status } = proto.api.enums.v1;

/** The state of a run, as the server has it. */
export interface Look {
  status: 'running' | 'continued' | 'completed' | 'failed';
  /** The number of events so far: if it grows, the run has changed. */
  events: number;
  calls: PendingCall[];
}

type Pending = proto.api.workflow.v1.IPendingActivityInfo;

async function textOf(temporal: Client, { heartbeatDetails }: Pending): Promise<PendingCall['text']> {
  const payloads = heartbeatDetails?.payloads;
  if (!payloads || payloads.length === 0) return undefined;
  const details = await decodeFromPayloadsAtIndex<{ stream?: unknown } | undefined>(
    temporal.options.loadedDataConverter,
    0,
    payloads,
  );
  const read = streamedText.safeParse(details?.stream);
  return read.success ? read.data : undefined;
}

/** Looks at a run: without a worker, and without an event in its history. */
export async function lookAt(temporal: Client, workflowId: string, runId: string): Promise<Look> {
  const { workflowExecutionInfo: info, pendingActivities } =
    await temporal.workflow.workflowService.describeWorkflowExecution({
      namespace: temporal.options.namespace,
      execution: { workflowId, runId },
    });
  const calls = await Promise.all(
    (pendingActivities ?? []).map(async (pending): Promise<PendingCall> => {
      const text = await textOf(temporal, pending);
      const call = `${runId}/${pending.activityId}`;
      return { call, attempt: pending.attempt ?? 1, ...(text && { text }) };
    }),
  );
  return { status: statusOf(info?.status), events: Number(info?.historyLength ?? 0), calls };
}

function statusOf(status: proto.api.enums.v1.WorkflowExecutionStatus | null | undefined): Look['status'] {
  if (status === Status.WORKFLOW_EXECUTION_STATUS_COMPLETED) return 'completed';
  if (status === Status.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW) return 'continued';
  const failed: readonly unknown[] = [
    Status.WORKFLOW_EXECUTION_STATUS_FAILED,
    Status.WORKFLOW_EXECUTION_STATUS_CANCELED,
    Status.WORKFLOW_EXECUTION_STATUS_TERMINATED,
    Status.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
  ];
  return failed.includes(status) ? 'failed' : 'running';
}
