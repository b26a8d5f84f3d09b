import { temporal } from '@temporalio/proto';
import type { ReflectionClient } from '../../src/client';

/** The whole history of a run, a few events at a time: a message has 4 MiB. */
export async function wholeHistory(
  client: ReflectionClient,
  workflowId: string,
): Promise<temporal.api.history.v1.History> {
  const { workflowService, options } = client.temporal.workflow;
  const events: temporal.api.history.v1.IHistoryEvent[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await workflowService.getWorkflowExecutionHistory({
      namespace: options.namespace,
      execution: { workflowId },
      maximumPageSize: 2,
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken && nextPageToken.length > 0);
  return temporal.api.history.v1.History.create({ events });
}
