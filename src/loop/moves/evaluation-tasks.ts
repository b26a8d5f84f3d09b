import { comparesWithPrior } from '../spec/evaluator-parts';
import type { Verdict } from '../state/evaluation';
import type { EvaluationTask } from '../state/evaluation-task';
import { aggregateParts } from '../evaluation/aggregate';
import type { PendingOutput } from '../state/loop-state';
import { setVerdict } from '../state/notes';

/** Lists the tasks of the evaluators of these indexes that are yet to be judged, or could not be. */
export function pendingTasks(
  tasks: readonly EvaluationTask[],
  pending: PendingOutput,
  indexes: readonly number[],
): EvaluationTask[] {
  return tasks.filter(({ index, part, folds }) => {
    if (!indexes.includes(index)) return false;
    const answer = folds ? pending.parts?.[index]?.[part] : undefined;
    return !answer || answer.outcome === 'inconclusive';
  });
}

/** Returns whether a task compares an output with the version before it, so that a draft cannot be judged. */
export function needsPrior({ evaluator }: EvaluationTask): boolean {
  return comparesWithPrior(evaluator);
}

/** Returns the function that combines the verdicts of an evaluator's parts. */
export function foldOf({ tree, plan }: EvaluationTask, qualityThreshold: number): (verdicts: Verdict[]) => Verdict {
  return (verdicts) => aggregateParts(tree, verdicts, plan, qualityThreshold);
}

/** Settles panels of which only half could judge, after the last round: if half of a panel is enough, it decides. */
export function settleSplitPanels(
  tasks: readonly EvaluationTask[],
  pending: PendingOutput,
  qualityThreshold: number,
): void {
  for (const { index, tree, plan, of } of tasks.filter(({ part }) => part === 0)) {
    if (pending.verdicts[index]?.outcome !== 'inconclusive') continue;
    const answers = Array.from({ length: of }, (_, part) => pending.parts?.[index]?.[part]).filter(
      (one) => one !== undefined,
    );
    if (answers.length !== of) continue;
    setVerdict(pending, index, aggregateParts(tree, answers, plan, qualityThreshold, true));
  }
}
