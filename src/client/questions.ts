import type { Client } from '@temporalio/client';
import type { CallOptions } from './call-options';
import { withTypedErrors } from './with-typed-errors';

/** Who is asked. */
export interface Asked {
  temporal: Client;
}

/** Waits for what a run hands back; a chain of runs is followed to its end. @param method of the client, which errors name */
export async function resultOf<Result>(
  { temporal }: Asked,
  method: string,
  workflowId: string,
  options: CallOptions,
): Promise<Result> {
  return withTypedErrors(temporal, { method, kind: 'result', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId).result(),
  );
}

/** A query, and by which method of the client it is asked. */
export interface Query {
  /** Of the client, which errors name. */
  method: string;
  query: string;
  workflowId: string;
}

/** Asks a run's worker by a query. */
export async function ask<Answer>(
  { temporal }: Asked,
  { method, query, workflowId, runId }: Query & { runId?: string },
  options: CallOptions,
  ...question: unknown[]
): Promise<Answer> {
  return withTypedErrors(temporal, { method, kind: 'question', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId, runId).query<Answer, unknown[]>(query, ...question),
  );
}
