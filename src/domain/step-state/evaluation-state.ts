import type { ReflectionEvaluation } from '../state/evaluation';
import { errorsOf } from '../versions/result';
import type { EvaluationState } from './standalone';

/** An evaluation in the form that later steps of a pipeline read. */
export function toEvaluationState(evaluation: ReflectionEvaluation): EvaluationState {
  return {
    valid: evaluation.satisfactory,
    score: evaluation.overallScore,
    errors: errorsOf(evaluation),
    suggestions: evaluation.suggestions,
    reason: evaluation.reason ?? '',
    outcome: evaluation.outcome,
  };
}
