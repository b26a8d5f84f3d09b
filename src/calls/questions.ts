import type { Client } from '@temporalio/client';
import type { CallOptions } from './call-options';
import { latestRunOf, partsOf, type RunTarget } from './run-target';
import { withTypedErrors } from './errors/with-typed-errors';

/** The client that is asked. */
export interface Asked {
  temporal: Client;
}

/**
 * Waits for the result of a run; a chain of runs is followed to its end.
 * @param method of the client, which errors name
 */
export async function resultOf<Result>(
  { temporal }: Asked,
  method: string,
  run: RunTarget,
  options: CallOptions,
): Promise<Result> {
  const { workflowId, runId } = partsOf(run);
  return withTypedErrors(temporal, { method, kind: 'result', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId, runId).result(),
  );
}

/** A query, and by which method of the client it is asked. */
export interface Query {
  /** The method of the client, which errors name. */
  method: string;
  query: string;
  run: RunTarget;
}

/**
 * Asks a run's worker by a query.
 *
 * @param runId of the chain's runs, the one to ask; default: the latest
 */
export async function ask<Answer>(
  { temporal }: Asked,
  { method, query, run, runId }: Query & { runId?: string },
  options: CallOptions,
  ...question: unknown[]
): Promise<Answer> {
  const { workflowId } = partsOf(run);
  return withTypedErrors(temporal, { method, kind: 'question', workflowId }, options, async () => {
    // An id alone needs no search: the server asks its latest run.
    const asked = runId ?? (typeof run === 'string' ? undefined : (await latestRunOf(temporal, run)).runId);
    return temporal.workflow.getHandle(workflowId, asked).query<Answer, unknown[]>(query, ...question);
  });
}
