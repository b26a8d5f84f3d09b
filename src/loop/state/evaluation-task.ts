import type { Evaluator } from '../contract/evaluators';
import { type EvaluatorPart, partsOf, partTree, type PartTree } from '../spec/evaluator-parts';
import type { EvaluatorPlan } from './loop-settings';

/** One execution that judges: an evaluator, or a part of one that falls into several, with what `prepare` planned for it. */
export interface EvaluationTask extends EvaluatorPart {
  index: number;
  part: number;
  of: number;
  /** True if the verdict of the evaluator is combined from this verdict and others. */
  folds: boolean;
  tree: PartTree;
  /** The plan of the evaluator; `local` and `asksModel` are those of the part. */
  plan: EvaluatorPlan;
  /** Shown in the timeline. */
  title: string;
}

/** @param votes how often each judge is asked */
export function listTasks(evaluator: Evaluator, plan: EvaluatorPlan, index: number, votes?: number): EvaluationTask[] {
  const tree = partTree(evaluator, votes);
  const parts = partsOf(tree);
  return parts.map((each, part) => ({
    ...each,
    index,
    part,
    of: parts.length,
    tree,
    folds: parts.length > 1 || plan.parts !== undefined,
    plan: { ...plan, ...plan.parts?.[part] },
    title: each.label === '' ? plan.name : `${plan.name} · ${each.label}`,
  }));
}
