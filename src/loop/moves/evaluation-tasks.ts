import { comparesWithPrior } from '../spec/evaluator-parts';
import type { Verdict } from '../state/evaluation';
import type { EvaluationTask } from '../state/evaluation-task';
import { aggregateParts } from '../evaluation/aggregate';
import type { PendingOutput } from '../state/loop-state';
import { setVerdict } from '../state/notes';
import { EVALUATION_ROUNDS } from './next-move';
import type { EvaluatorPlan } from '../state/loop-settings';

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

/** Whether a task compares an output with the version before it, so that a draft cannot be judged. */
export function needsPrior({ evaluator }: EvaluationTask): boolean {
  return comparesWithPrior(evaluator);
}

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

/** No two draws about one output are alike; undefined for a single one. Draws of the confirming judge follow: it may be the same model. */
export function drawOf({ vote }: Pick<EvaluationTask, 'vote'>, round: number, isSecond: boolean): number | undefined {
  const { number, of } = vote ?? { number: 1, of: 1 };
  const earlier = round - 1 + (isSecond ? EVALUATION_ROUNDS : 0);
  return of === 1 && earlier === 0 ? undefined : earlier * of + number;
}

/** Evaluators that have not judged, or may be asked again. None after a failed gate, or if the output has faults. */
export function evaluatorsToAsk(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): number[] {
  if (pending.faults || gateFailed(pending, evaluators)) return [];
  return evaluators.flatMap((_, index) => {
    const verdict = pending.verdicts[index];
    return !verdict || (verdict.outcome === 'inconclusive' && !verdict.broken) ? [index] : [];
  });
}

export function gateFailed(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return evaluators.some((evaluator, index) => evaluator.gate && pending.verdicts[index]?.outcome === 'fail');
}

export function mayAskAgain(pending: PendingOutput, evaluators: readonly EvaluatorPlan[]): boolean {
  return pending.rounds < EVALUATION_ROUNDS && evaluatorsToAsk(pending, evaluators).length > 0;
}
