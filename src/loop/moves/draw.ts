import type { EvaluationTask } from '../state/evaluation-task';
import { EVALUATION_ROUNDS } from './next-move';

/**
 * Returns the number of a judge's draw among all those about one output, so that no two are alike; undefined for a judge that is
 * asked once. Draws of the judge that confirms a doubtful pass follow those of the others: it may be the same model with the
 * same prompt.
 *
 * @param round of the evaluation, from 1
 * @param isSecond the judge confirms a pass
 */
export function drawOf({ vote }: Pick<EvaluationTask, 'vote'>, round: number, isSecond: boolean): number | undefined {
  const { number, of } = vote ?? { number: 1, of: 1 };
  const earlier = round - 1 + (isSecond ? EVALUATION_ROUNDS : 0);
  return of === 1 && earlier === 0 ? undefined : earlier * of + number;
}
