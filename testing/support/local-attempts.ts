import type { WorkflowHandle } from '@temporalio/client';

/** Which attempt each local activity of a run ended with. */
export async function localAttempts(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) =>
    (marker?.details?.['data']?.payloads ?? []).map(
      ({ data }) => (JSON.parse(Buffer.from(data!).toString()) as { attempt: number }).attempt,
    ),
  );
}
