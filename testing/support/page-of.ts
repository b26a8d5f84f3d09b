import type { WorkflowHandle } from '@temporalio/client';

/** What a run's page in the Web UI says now, in Markdown. */
export async function pageOf(handle: Pick<WorkflowHandle, 'query'>): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails ?? '';
}
