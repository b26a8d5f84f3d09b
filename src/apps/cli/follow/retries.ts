import type { ReflectionClient } from '../../../client';
import { plainActivityName } from '../../../lib/names/activity-names';
import { oneLine } from '../views/printable';

/** Describes the failure of the run's step in flight while it is being tried again; undefined when all goes well. */
export async function retryText(client: ReflectionClient, workflowId: string): Promise<string | undefined> {
  const { raw } = await client.temporal.workflow.getHandle(workflowId).describe();
  const failing = raw.pendingActivities?.find(({ lastFailure }) => lastFailure);
  if (!failing?.lastFailure) return undefined;
  const { message, applicationFailureInfo } = failing.lastFailure;
  const type = applicationFailureInfo?.type;
  const step = plainActivityName(failing.activityType?.name ?? 'a step');
  return oneLine(`${step} failed and is tried again: ${type ? `${type}: ` : ''}${message}`, 400);
}
