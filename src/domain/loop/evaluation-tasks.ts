import { comparesWithPrior, type EvaluatorPart, partsOf, type PartTree, partTree } from '../spec/evaluator-parts';
import type { Verdict } from '../state/evaluation';
import { foldParts } from '../evaluation/aggregate';
import type { EvaluatorPlan, Preparation } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';
import type { ReflectionSpec } from '../spec/spec';
import { evaluatorsOf } from '../step-state/project';

/** One execution that judges: an evaluator, or a part of one that falls into several. */
export interface EvaluationTask extends EvaluatorPart {
  /** Of the evaluator in the spec, and of the part in the evaluator. */
  index: number;
  part: number;
  /** Number of the evaluator's parts. */
  of: number;
  /** Its verdict is not the evaluator's, but a part of what that is made of. */
  folds: boolean;
  /** The evaluator's, but where its work is done is the part's. */
  plan: EvaluatorPlan;
  /** Shown in the timeline. */
  title: string;
}

type Judged = Pick<ReflectionSpec, 'evaluator' | 'judge'>;

function treeOf(spec: Judged, index: number): PartTree {
  return partTree(evaluatorsOf(spec)[index]!, spec.judge?.votes);
}

/** Everything that the evaluators of these indexes have yet to judge, or could not. */
export function pendingTasks(
  spec: Judged,
  plans: Preparation['evaluators'],
  pending: PendingOutput,
  indexes: readonly number[],
): EvaluationTask[] {
  return indexes.flatMap((index) => {
    const plan = plans[index]!;
    const parts = partsOf(treeOf(spec, index));
    const asks = parts.map((each, part) => ({
      ...each,
      index,
      part,
      of: parts.length,
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

/** True for what has nothing to be compared with in the first version. */
export function needsPrior({ evaluator }: EvaluationTask): boolean {
  return comparesWithPrior(evaluator);
}

/** One verdict of an evaluator out of those of its parts. */
export function foldOf(
  spec: Judged,
  { index, plan }: EvaluationTask,
  qualityThreshold: number,
): (verdicts: Verdict[]) => Verdict {
  return (verdicts) => foldParts(treeOf(spec, index), verdicts, plan, qualityThreshold);
}

/** Nobody is asked any more: where that is enough, the half of a panel that could judge decides. */
export function settleSplitPanels(
  spec: Judged,
  plans: Preparation['evaluators'],
  pending: PendingOutput,
  qualityThreshold: number,
): void {
  for (const [index, plan] of plans.entries()) {
    if (pending.verdicts[index]?.outcome !== 'inconclusive') continue;
    const tree = treeOf(spec, index);
    const answers = partsOf(tree).flatMap((_, part) => pending.parts?.[index]?.[part] ?? []);
    if (answers.length !== partsOf(tree).length) continue;
    pending.verdicts[index] = foldParts(tree, answers, plan, qualityThreshold, true);
  }
}
