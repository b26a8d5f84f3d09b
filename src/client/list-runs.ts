import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { WaitingFor } from '../loop/contract/waiting';
import { SEARCH_ATTRIBUTES } from '../lib/names/search-attributes';
import { omitUndefined } from '../lib/base/defined';
import type { CallOptions } from '../calls/call-options';
import { RUN_KINDS, type RunKindName } from '../kinds/list/client';
import { withTypedErrors } from '../calls/errors/with-typed-errors';
import { readerWithoutPayloads } from '../calls/without-payloads';

const LISTED = new Map(
  Object.entries(RUN_KINDS)
    .filter(([, { listedAs }]) => listedAs !== undefined)
    .map(([name, { type }]) => [type, name as RunListEntry['kind']]),
);

/** One row of a list of runs. */
export interface RunListEntry {
  kind: Exclude<RunKindName, 'evaluation' | 'correction'>;
  workflowId: string;
  runId: string;
  /** Temporal's own status: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT, CONTINUED_AS_NEW. */
  temporalStatus: string;
  startedAt: Date;
  closedAt?: Date;
  /** The status from search attributes; left out if the namespace has none. */
  status?: string;
  iteration?: number;
  bestScore?: number;
  /** Why the run ended, or `blocked` for one that waits because only a person can help. */
  reason?: string;
  /** The kind of wait, of a run that waits for a person. */
  waitingFor?: WaitingFor['kind'];
}

/** Returns what a run waits for; its reason says so while it waits for answers. */
function waitOf(isWaiting: boolean, reason: string | undefined): WaitingFor['kind'] {
  if (!isWaiting) return undefined;
  return reason === 'question' || reason === 'approval' ? reason : 'review';
}

/** Loops, pipelines, plans and populations, the latest first. `query` narrows the list, in Temporal's list filter syntax. */
export async function* listRuns(
  temporal: Client,
  options: CallOptions & { query?: string; limit?: number },
): AsyncIterable<RunListEntry> {
  const query = [
    `WorkflowType IN (${[...LISTED.keys()].map((type) => `'${type}'`).join(', ')})`,
    ...(options.query ? [`(${options.query})`] : []),
  ].join(' AND ');
  let left = options.limit ?? Infinity;
  const infos = readerWithoutPayloads(temporal).list({ query })[Symbol.asyncIterator]();
  while (left-- > 0) {
    const next: IteratorResult<WorkflowExecutionInfo, unknown> = await withTypedErrors(
      temporal,
      { method: 'list', kind: 'list' },
      options,
      () => infos.next(),
    );
    if (next.done) return;
    yield entryOf(next.value);
  }
}

function entryOf(info: WorkflowExecutionInfo): RunListEntry {
  const attribute = <T extends 'string' | 'number'>(name: string, type: T) => {
    const value: unknown = info.searchAttributes[name]?.[0];
    return typeof value === type ? (value as T extends 'string' ? string : number) : undefined;
  };
  const status = attribute(SEARCH_ATTRIBUTES.status, 'string');
  const reason = attribute(SEARCH_ATTRIBUTES.reason, 'string');
  const waitingFor = waitOf(status === 'waiting' && info.status.name === 'RUNNING', reason);
  return omitUndefined({
    kind: LISTED.get(info.type)!,
    workflowId: info.workflowId,
    runId: info.runId,
    temporalStatus: info.status.name,
    startedAt: info.startTime,
    closedAt: info.closeTime,
    status,
    iteration: attribute(SEARCH_ATTRIBUTES.iteration, 'number'),
    bestScore: attribute(SEARCH_ATTRIBUTES.bestScore, 'number'),
    reason: waitingFor === reason ? undefined : reason,
    waitingFor,
  });
}
