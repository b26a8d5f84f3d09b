import type { ReflectionClient } from '../../client';
import type { RunKind } from '../../client/kinds/run-kind';
import { AlreadyEndedError } from '../../domain/errors/call-errors';

/**
 * Starts a run, or waits for the one that has the id: what was paid for is not paid for again. A run that failed is started anew.
 *
 * @throws RunFailedError, InvalidSpecError
 */
export async function runAgain<Spec, Result, Progress>(
  kind: RunKind<Spec, Result, Progress>,
  client: ReflectionClient,
  workflowId: string,
  request: Spec,
): Promise<Result> {
  const policies = {
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  try {
    return await kind.run(client, request, { ...policies, workflowId });
  } catch (error) {
    if (!(error instanceof AlreadyEndedError)) throw error;
    return kind.result(client, workflowId, {});
  }
}
