import type { Json } from '../../../src/lib/json/json';
import type { Task } from '../task';
import type { MadeVersion } from './arms';
import { checked } from './check';

/** What the hidden check says of a revision. */
export interface RevisionOutcome {
  /** How the loop revised; absent for a corrector of the spec's own. */
  strategy?: string;
  /** Faults of the version that was revised, and of the revision; null where all of it is wrong. */
  before: number | null;
  after: number | null;
  change: 'better' | 'same' | 'worse';
}

/** The truth's words for an output that it cannot look into, such as code that does not run: one problem, and all is wrong. */
const ALL_IS_WRONG = /^(?:The code fails: |the output is )/;

/** Counts what is really wrong with an output; null where nothing of it can be right. */
async function countFaults(task: Task, output: Json): Promise<number | null> {
  const { value } = await checked(task, output);
  const problems = await task.truth(value);
  return problems.some((problem) => ALL_IS_WRONG.test(problem)) ? null : problems.length;
}

function compareFaults(before: number | null, after: number | null): RevisionOutcome['change'] {
  const gain = (before ?? Infinity) - (after ?? Infinity);
  // Infinity less Infinity is no number.
  return gain > 0 ? 'better' : gain < 0 ? 'worse' : 'same';
}

/** Compares each revision of a loop with the version that it was made from, by the hidden check. */
export async function revisionsOf(task: Task, versions: readonly MadeVersion[]): Promise<RevisionOutcome[]> {
  const kept = versions.filter(({ omittedBytes }) => omittedBytes === undefined);
  const faults = new Map<number, number | null>();
  for (const { iteration, output } of kept) faults.set(iteration, await countFaults(task, output));
  return kept.flatMap(({ iteration, origin, basedOn = iteration - 1, strategy }) => {
    const [before, after] = [faults.get(basedOn), faults.get(iteration)];
    if (origin !== 'revision' || before === undefined || after === undefined) return [];
    return [{ ...(strategy !== undefined && { strategy }), before, after, change: compareFaults(before, after) }];
  });
}
