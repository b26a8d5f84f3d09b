import type { Client } from '@temporalio/client';
import type { ReflectionVersion } from '../domain/state/loop-state';
import type { HistoryPage } from '../workflows/messages';
import type { CallOptions } from './call-options';
import { ask, type Asked, type Query } from './questions';
import { withTypedErrors } from './with-typed-errors';

/** The beginning of a history, as far as a chain is followed by it. */
type FirstEvents = Awaited<ReturnType<Client['workflow']['workflowService']['getWorkflowExecutionHistory']>>;

/** Run ids of a chain, the first run first: every run's first event names the run before it. */
export async function chainOf(
  { temporal }: Asked,
  { method, workflowId }: Pick<Query, 'method' | 'workflowId'>,
  options: CallOptions,
): Promise<string[]> {
  const call = { method, kind: 'question', workflowId } as const;
  const { runId } = await withTypedErrors(temporal, call, options, () =>
    temporal.workflow.getHandle(workflowId).describe(),
  );
  const chain: string[] = [];
  let current: string | null | undefined = runId;
  while (current) {
    chain.unshift(current);
    const request = { namespace: temporal.options.namespace, execution: { workflowId, runId: current } };
    const page: FirstEvents = await withTypedErrors(temporal, call, options, () =>
      temporal.workflow.workflowService.getWorkflowExecutionHistory({ ...request, maximumPageSize: 1 }),
    );
    current = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  }
  return chain;
}

/**
 * The answers to a query that answers in pages, from every run of a chain, the first run first: a long run is a chain, and a query
 * sees one run of it.
 */
export async function* pagesOf<Page extends { next?: number }>(
  place: Asked,
  asked: Query,
  options: CallOptions,
  question: object = {},
): AsyncGenerator<Page> {
  for (const runId of await chainOf(place, asked, options)) {
    let from: number | undefined = 1;
    while (from !== undefined) {
      const page: Page = await ask<Page>(place, { ...asked, runId }, options, { ...question, from });
      yield page;
      from = page.next;
    }
  }
}

/** All versions of a loop's chain of runs. */
export async function versionsOf(asked: Asked, workflowId: string, options: CallOptions): Promise<ReflectionVersion[]> {
  // A version of an earlier run may have been judged again in a later one.
  const versions = new Map<number, ReflectionVersion>();
  for await (const page of pagesOf<HistoryPage>(asked, { method: 'history', query: 'history', workflowId }, options)) {
    for (const version of page.versions) versions.set(version.iteration, version);
  }
  return [...versions.values()];
}
