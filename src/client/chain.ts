import type { Client } from '@temporalio/client';
import { withTypedErrors } from './with-typed-errors';
import type { CallOptions } from './call-options';

/** The beginning of a history, as far as a chain is followed by it. */
type FirstEvents = Awaited<ReturnType<Client['workflow']['workflowService']['getWorkflowExecutionHistory']>>;

/** Run ids of a chain, the first run first: every run's first event names the run before it. */
export async function chainOf(
  { temporal }: { temporal: Client },
  { method, workflowId }: { method: string; workflowId: string },
  options: CallOptions,
): Promise<string[]> {
  const call = { method, kind: 'question', workflowId } as const;
  const { runId } = await withTypedErrors(temporal, call, options, () =>
    temporal.workflow.getHandle(workflowId).describe(),
  );
  const chain: string[] = [];
  let current: string | null | undefined = runId;
  while (current) {
    chain.unshift(current);
    const request = { namespace: temporal.options.namespace, execution: { workflowId, runId: current } };
    const page: FirstEvents = await withTypedErrors(temporal, call, options, () =>
      temporal.workflow.workflowService.getWorkflowExecutionHistory({ ...request, maximumPageSize: 1 }),
    );
    current = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  }
  return chain;
}
