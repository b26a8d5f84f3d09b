import type { RunListEntry } from '../../../client';
import type { TemporalOverrides } from '../../../lib/config';
import { scoreText } from '../../../lib/text/summary-text';
import { withClient } from '../support/connect';
import { seconds } from '../views/printable';
import { printText, writeJson } from '../terminal/say';
import { plainTable } from '../terminal/table';

const STATUSES = ['running', 'waiting', 'succeeded', 'exhausted', 'aborted', 'failed'] as const;

interface ListOptions extends TemporalOverrides {
  status?: (typeof STATUSES)[number];
  limit: number;
  json?: boolean;
}

/** `reflect list`: the latest loops, pipelines, plans, batches and populations first. One evaluation or correction is not listed; `show` knows them by id. */
export async function list({ status, limit, json, ...options }: ListOptions): Promise<number> {
  return withClient(options, async (client) => {
    const entries: RunListEntry[] = [];
    const query = status && filterOf(status);
    for await (const entry of client.list({ query, limit })) entries.push(entry);
    if (json) writeJson(entries);
    else if (entries.length === 0)
      printText(status === undefined ? 'No runs. Start one: npx reflect run <file>' : `No runs are ${status}.`);
    else printText(table(entries));
    return 0;
  });
}

/** Filters by status. Runs that failed early or were ended from outside have Temporal's status only. */
function filterOf(status: NonNullable<ListOptions['status']>): string {
  if (status === 'running') return "ExecutionStatus = 'Running'";
  if (status === 'waiting') return "ReflectionStatus = 'waiting' AND ExecutionStatus = 'Running'";
  const own = `ReflectionStatus = '${status}'`;
  if (status !== 'failed') return own;
  const silent = "(ReflectionStatus IS NULL OR ReflectionStatus IN ('running', 'waiting'))";
  return `${own} OR (${silent} AND ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated', 'Canceled'))`;
}

function statusOf({ status, temporalStatus, waitingFor }: RunListEntry): string {
  if (waitingFor === 'question' || waitingFor === 'approval') return `waiting: ${waitingFor}`;
  if (temporalStatus === 'RUNNING' || temporalStatus === 'COMPLETED') return status ?? temporalStatus.toLowerCase();
  return status === undefined || status === 'running' || status === 'waiting' ? temporalStatus.toLowerCase() : status;
}

function table(entries: RunListEntry[]): string {
  const rows = entries.map((entry) => [
    entry.workflowId,
    entry.kind,
    statusOf(entry),
    entry.iteration ?? '–',
    scoreText(entry.bestScore ?? null),
    entry.reason ?? '–',
    entry.startedAt.toISOString().replace('T', ' ').slice(0, 16),
    seconds((entry.closedAt ?? new Date()).getTime() - entry.startedAt.getTime()),
  ]);
  return plainTable(['run', 'kind', 'status', 'versions', 'best', 'why it ended', 'started (UTC)', 'took'], rows, {
    whole: ['status', 'started (UTC)'],
    ids: ['run'],
    spare: ['took', 'kind', 'versions', 'why it ended', 'best', 'started (UTC)'],
  });
}
