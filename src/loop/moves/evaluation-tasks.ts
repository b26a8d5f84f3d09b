import { comparesWithPrior, type EvaluatorPart, partsOf, type PartTree } from '../spec/evaluator-parts';
import type { Verdict } from '../state/evaluation';
import { aggregateParts } from '../evaluation/aggregate';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';
import { setVerdict } from '../state/notes';
import type { ResolvedEvaluator } from '../state/resolved-spec';

/** One execution that judges: an evaluator, or a part of one that falls into several. */
export interface EvaluationTask extends EvaluatorPart {
  /** Index of the evaluator in the spec, and of the part in the evaluator. */
  index: number;
  part: number;
  /** Number of the evaluator's parts. */
  of: number;
  /** Its verdict is not the evaluator's, but a part of what that is made of. */
  folds: boolean;
  /** The evaluator's: how it falls into parts. */
  tree: PartTree;
  /** The evaluator's, but where its work is done is the part's. */
  plan: EvaluatorPlan;
  /** Shown in the timeline. */
  title: string;
}

/** Lists everything that the evaluators of these indexes have yet to judge, or could not. */
export function pendingTasks(
  evaluators: readonly ResolvedEvaluator[],
  pending: PendingOutput,
  indexes: readonly number[],
): EvaluationTask[] {
  return indexes.flatMap((index) => {
    const { evaluator: _whole, tree, ...plan } = evaluators[index]!;
    const parts = partsOf(tree);
    const asks = parts.map((each, part) => ({
      ...each,
      index,
      part,
      of: parts.length,
      tree,
      folds: parts.length > 1 || plan.parts !== undefined,
      plan: { ...plan, ...plan.parts?.[part] },
      title: each.label === '' ? plan.name : `${plan.name} · ${each.label}`,
    }));
    return asks.filter(({ part, folds }) => {
      const answer = folds ? pending.parts?.[index]?.[part] : undefined;
      return !answer || answer.outcome === 'inconclusive';
    });
  });
}

/** Returns whether a task has nothing to compare with in the first version. */
export function needsPrior({ evaluator }: EvaluationTask): boolean {
  return comparesWithPrior(evaluator);
}

/** Returns the function that combines the verdicts of an evaluator's parts. */
export function foldOf({ tree, plan }: EvaluationTask, qualityThreshold: number): (verdicts: Verdict[]) => Verdict {
  return (verdicts) => aggregateParts(tree, verdicts, plan, qualityThreshold);
}

/** Settles the panels of which one half could judge, once no judge is asked any more: if that half is enough, it decides. */
export function settleSplitPanels(
  evaluators: readonly ResolvedEvaluator[],
  pending: PendingOutput,
  qualityThreshold: number,
): void {
  for (const [index, { tree, ...plan }] of evaluators.entries()) {
    if (pending.verdicts[index]?.outcome !== 'inconclusive') continue;
    const answers = partsOf(tree).flatMap((_, part) => pending.parts?.[index]?.[part] ?? []);
    if (answers.length !== partsOf(tree).length) continue;
    setVerdict(pending, index, aggregateParts(tree, answers, plan, qualityThreshold, true));
  }
}
