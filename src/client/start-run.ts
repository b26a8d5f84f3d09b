import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { withTypedErrors } from './with-typed-errors';
import type { CallOptions } from './call-options';
import { eagerStart } from './eager-start';
import type { RunReference, StartOptions } from './start-options';
import { type ListedAttributes, startListed } from './started-attributes';

/** Where runs are started. */
export interface Place {
  temporal: Client;
  taskQueue: string;
}

/** A run that was started, and how to wait for what it hands back. */
export interface Started<Result> extends RunReference {
  /** Throws InvalidSpecError and RunFailedError, as the run ended; NoAnswerError, CallAbortedError, ServerRequestError. */
  result(options?: CallOptions): Promise<Result>;
}

/** What is started: by which method of the client, and as what. */
interface Start {
  method: string;
  type: string;
  argument: unknown;
  staticSummary: string;
  /** Begins the id of a run that is not given one. */
  prefix: string;
  /** What the run list shows of it at first; nothing of one evaluation or correction. */
  listedAs?: 'loop' | 'other';
}

/** Starts a run whose argument was checked. */
export async function startRun<Result>(
  { temporal, taskQueue }: Place,
  { method, type, argument, staticSummary, prefix, listedAs }: Start,
  { workflowId = `${prefix}-${randomUUID()}`, ...options }: StartOptions,
): Promise<Started<Result>> {
  const start = (attributes: ListedAttributes) =>
    temporal.workflow.start(type, {
      ...eagerStart(temporal),
      ...attributes,
      taskQueue,
      workflowId,
      args: [argument],
      staticSummary,
    });
  const handle = await withTypedErrors(temporal, { method, kind: 'start', workflowId }, options, () =>
    listedAs ? startListed(temporal, listedAs, start) : start({}),
  );
  return {
    workflowId,
    runId: handle.firstExecutionRunId,
    result: (waiting = {}) =>
      withTypedErrors(temporal, { method: 'result', kind: 'result', workflowId }, waiting, () => handle.result()),
  };
}

/** Waits for what a run hands back; a chain of runs is followed to its end. */
export async function resultOf<Result>(
  { temporal }: { temporal: Client },
  method: string,
  workflowId: string,
  options: CallOptions,
): Promise<Result> {
  return withTypedErrors(temporal, { method, kind: 'result', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId).result(),
  );
}

/** Asks a run's worker by a query. */
export async function ask<Answer>(
  { temporal }: { temporal: Client },
  call: { method: string; query: string; workflowId: string; runId?: string },
  options: CallOptions,
  ...question: unknown[]
): Promise<Answer> {
  const { method, query, workflowId, runId } = call;
  return withTypedErrors(temporal, { method, kind: 'question', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId, runId).query<Answer, unknown[]>(query, ...question),
  );
}
