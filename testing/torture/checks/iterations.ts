import { activityName } from '../../../src/lib/names/activity-names';
import type { ReflectionResult } from '../../../src/loop/contract/results';
import type { ChainRecord, TortureRecord } from '../record';
import { activitiesOf, finished } from './chain';
import type { Violation } from './violation';

const MAKES_VERSIONS: ReadonlySet<string> = new Set([activityName('generate'), activityName('revise')]);

function isCount(numbers: readonly number[], from = 1): boolean {
  return numbers.every((number, index) => number === from + index);
}

function gapsOf(chain: ChainRecord, result: ReflectionResult): string | undefined {
  const versions = result.history.versions.map(({ iteration }) => iteration);
  if (
    !isCount(versions) ||
    versions.length !== result.iterationsUsed ||
    result.history.totalIterations !== versions.length
  ) {
    return `its versions are ${versions.join()} of ${result.iterationsUsed}`;
  }
  const made = activitiesOf(chain)
    .filter(({ type, outcome }) => MAKES_VERSIONS.has(type) && outcome === 'completed')
    .map(({ iteration }) => iteration);
  // A version that came while a person ended the run is recorded and not used.
  const unused = made.length - versions.length;
  const steered = result.history.people.some(({ applied }) => applied);
  if (isCount(made) && (unused === 0 || (unused === 1 && steered))) return undefined;
  return `its recorded answers are those of ${made.join()}, and its versions ${versions.length}`;
}

/** Iterations are counted from 1 without gaps or repeats: in results, and in histories over all runs of a chain. */
export function checkIterations(record: TortureRecord): Violation[] {
  return finished(record).flatMap(({ chain, result }): Violation[] => {
    const message = gapsOf(chain, result);
    return message === undefined ? [] : [{ invariant: 'gap', where: chain.workflowId, message }];
  });
}
