import { type Client, WorkflowClient, type WorkflowExecutionInfo } from '@temporalio/client';
import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import { withTypedErrors } from './with-typed-errors';
import type { CallOptions } from './call-options';

/** Workflow types that are listed, and what people call them. */
const KINDS = {
  reflectionLoop: 'loop',
  reflectionPipeline: 'pipeline',
  planReflection: 'plan',
  agentReflection: 'agents',
} as const;

/** One row of a list of runs. */
export interface RunListEntry {
  kind: (typeof KINDS)[keyof typeof KINDS];
  workflowId: string;
  runId: string;
  /** Temporal's own status: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT, CONTINUED_AS_NEW. */
  temporalStatus: string;
  startedAt: Date;
  closedAt?: Date;
  /** From search attributes; absent where the namespace has none. */
  status?: string;
  iteration?: number;
  bestScore?: number;
  reason?: string;
}

/** Reads nothing of what starters noted about a run: one note that is encrypted with another key would end the whole list. */
const leavesMemos: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads.map(() => defaultPayloadConverter.toPayload(null)),
};

/** Loops, pipelines, plans and populations, the latest first. `query` narrows the list, in Temporal's list filter syntax. */
export async function* listRuns(
  temporal: Client,
  options: CallOptions & { query?: string; limit?: number },
): AsyncIterable<RunListEntry> {
  const query = [
    `WorkflowType IN (${Object.keys(KINDS)
      .map((type) => `'${type}'`)
      .join(', ')})`,
    ...(options.query ? [`(${options.query})`] : []),
  ].join(' AND ');
  const { connection, options: own } = temporal;
  const reader = new WorkflowClient({
    connection,
    namespace: own.namespace,
    dataConverter: { payloadCodecs: [leavesMemos] },
  });
  let left = options.limit ?? Infinity;
  const infos = reader.list({ query })[Symbol.asyncIterator]();
  while (left-- > 0) {
    const next: IteratorResult<WorkflowExecutionInfo, unknown> = await withTypedErrors(
      temporal,
      { method: 'list', kind: 'list' },
      options,
      () => infos.next(),
    );
    if (next.done) return;
    const info = next.value;
    const attribute = (name: string): unknown => info.searchAttributes[name]?.[0];
    const entry: RunListEntry = {
      kind: KINDS[info.type as keyof typeof KINDS],
      workflowId: info.workflowId,
      runId: info.runId,
      temporalStatus: info.status.name,
      startedAt: info.startTime,
      ...(info.closeTime ? { closedAt: info.closeTime } : {}),
    };
    const [status, iteration, bestScore, reason] = [
      attribute('ReflectionStatus'),
      attribute('ReflectionIteration'),
      attribute('ReflectionBestScore'),
      attribute('ReflectionReason'),
    ];
    if (typeof status === 'string') entry.status = status;
    if (typeof iteration === 'number') entry.iteration = iteration;
    if (typeof bestScore === 'number') entry.bestScore = bestScore;
    if (typeof reason === 'string') entry.reason = reason;
    yield entry;
  }
}
