import type { ActivityRecord, ChainRecord, RunRecord, TortureRecord } from '../record';

/** A chain's runs, the first one first; those that do not follow from it are left out. */
export function inOrder(chain: ChainRecord): RunRecord[] {
  const ordered: RunRecord[] = [];
  let next = chain.runs.find((run) => run.continued === undefined);
  while (next) {
    const { runId }: RunRecord = next;
    ordered.push(next);
    next = chain.runs.find((run) => run.continued === runId);
  }
  return ordered;
}

/** The run that a chain ended with. */
export function lastRun(chain: ChainRecord): RunRecord | undefined {
  return inOrder(chain).at(-1);
}

/** Chains that ended with a result, with it. */
export function finished(record: TortureRecord) {
  return record.chains.flatMap((chain) => {
    const end = lastRun(chain)?.end;
    return end?.kind === 'completed' && end.result ? [{ chain, end, result: end.result }] : [];
  });
}

/** The activities of a chain, in the order in which they were scheduled. */
export function activitiesOf(chain: ChainRecord): (ActivityRecord & { runId: string })[] {
  return inOrder(chain).flatMap(({ runId, activities }) => activities.map((activity) => ({ ...activity, runId })));
}

/** Names one activity of all. */
export function activityKey(one: { runId: string; activityId: string }): string {
  return `${one.runId}/${one.activityId}`;
}
