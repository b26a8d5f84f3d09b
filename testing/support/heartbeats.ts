import type { ReflectionClient } from '../../src/client';

/** When the server last had a heartbeat of the one activity of a run that is under way; undefined: never. */
export async function heartbeatOf(client: ReflectionClient, workflowId: string): Promise<number | undefined> {
  const { raw } = await client.temporal.workflow.getHandle(workflowId).describe();
  const [pending] = raw.pendingActivities ?? [];
  const { seconds, nanos } = pending?.lastHeartbeatTime ?? {};
  const at = Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6;
  // The server fills in the start of the attempt before there was one.
  const startedAt = pending?.lastStartedTime;
  const started = Number(startedAt?.seconds ?? 0) * 1_000 + (startedAt?.nanos ?? 0) / 1e6;
  return at === 0 || at === started ? undefined : at;
}
