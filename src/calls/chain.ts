import type { Client } from '@temporalio/client';
import type { ReflectionVersion } from '../loop/state/loop-state';
import type { HistoryPage } from '../loop/contract/results';
import type { CallOptions } from './call-options';
import { ServerRequestError } from '../loop/errors/call-errors';
import { RunNotFoundError } from '../loop/errors/errors';
import { ask, type Asked, type Query } from './questions';
import { latestRunOf, partsOf, type RunTarget } from './run-target';
import { withTypedErrors } from './errors/with-typed-errors';

type FirstEvents = Awaited<ReturnType<Client['workflow']['workflowService']['getWorkflowExecutionHistory']>>;

export function isNotFound(error: unknown): boolean {
  return error instanceof RunNotFoundError || (error instanceof ServerRequestError && error.code === 'NOT_FOUND');
}

/** Lists the run ids of a chain, the first run first, as far back as the server keeps the runs. */
export async function chainOf(
  { temporal }: Asked,
  { method, run }: Pick<Query, 'method' | 'run'>,
  options: CallOptions,
): Promise<string[]> {
  const { workflowId } = partsOf(run);
  const call = { method, kind: 'question', workflowId } as const;
  const { runId } = await withTypedErrors(temporal, call, options, () => latestRunOf(temporal, run));
  const chain: string[] = [];
  let current: string | null | undefined = runId;
  while (current) {
    const request = { namespace: temporal.options.namespace, execution: { workflowId, runId: current } };
    try {
      const page: FirstEvents = await withTypedErrors(temporal, call, options, () =>
        temporal.workflow.workflowService.getWorkflowExecutionHistory({ ...request, maximumPageSize: 1 }),
      );
      chain.unshift(current);
      current = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    } catch (error) {
      if (chain.length === 0 || !isNotFound(error)) throw error;
      break;
    }
  }
  return chain;
}

/** Reads the answers to a query in pages from every run of a chain, the first run first. */
export async function* pagesOf<Page extends { next?: number }>(
  place: Asked,
  asked: Query,
  options: CallOptions,
  question: object = {},
  earlier: object = {},
): AsyncGenerator<Page> {
  const chain = await chainOf(place, asked, options);
  for (const [index, runId] of chain.entries()) {
    let from: number | undefined = 1;
    while (from !== undefined) {
      // What the first one has taken over is what is left of those before it.
      const page: Page = await ask<Page>(place, { ...asked, runId }, options, {
        ...question,
        from,
        ...(index === 0 && earlier),
      });
      yield page;
      from = page.next;
    }
  }
}

/** Reads all versions of a chain of runs. Versions of runs that are gone mostly lack their outputs. */
export async function versionsOf(asked: Asked, run: RunTarget, options: CallOptions): Promise<ReflectionVersion[]> {
  // A version of an earlier run may have been judged again in a later one.
  const versions = new Map<number, ReflectionVersion>();
  const query = { method: 'history', query: 'history', run };
  for await (const page of pagesOf<HistoryPage>(asked, query, options, {}, { carried: true })) {
    for (const version of page.versions) versions.set(version.iteration, version);
  }
  return [...versions.values()];
}
