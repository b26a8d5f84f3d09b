import type { Client } from '@temporalio/client';
import { ExternalStorageRunner } from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

/** What the checks read of an event. */
function payloadsOf(event: HistoryEvent): Payloads[] {
  return [
    event.activityTaskScheduledEventAttributes?.input,
    event.workflowExecutionCompletedEventAttributes?.result,
    event.workflowExecutionSignaledEventAttributes?.input,
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args,
  ];
}

/** Puts what is stored outside of a history in the place of references to it, where the client has a storage. */
export async function withStored(client: Client, events: HistoryEvent[]): Promise<HistoryEvent[]> {
  const { externalStorage } = client.options.loadedDataConverter;
  if (!externalStorage) return events;
  const runner = new ExternalStorageRunner(externalStorage);
  for (const payloads of events.flatMap(payloadsOf)) {
    if (payloads?.payloads) payloads.payloads = await runner.retrieve(payloads.payloads);
  }
  return events;
}
