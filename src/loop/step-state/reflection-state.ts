import type { ReflectionEvaluation, EvaluationState } from '../contract/evaluation';
import { errorsOf, bestVersion, finalVersion, historyEntry } from '../versions/result';
import type { ReflectionResult } from '../contract/results';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';

/** Keys of an object output are among them, except those that would overwrite another one. */
export function toReflectionState(result: ReflectionResult): JsonObject {
  const final = finalVersion(result.history);
  const best = bestVersion(result.history);
  const own: JsonObject = {
    success: result.success,
    valid: final?.evaluation.satisfactory ?? false,
    exhausted: result.exhausted,
    reflection_iteration: result.iterationsUsed,
    reflection_output: result.finalOutput,
    reflection_errors: (final ? errorsOf(final.evaluation) : []) as unknown as Json,
    reflection_history: result.history.versions.map(historyEntry) as unknown as Json,
    reflection_best: result.bestOutput,
    reflection_best_score: best?.evaluation.overallScore ?? null,
  };
  const output = isJsonObject(result.finalOutput) ? result.finalOutput : {};
  const spread = Object.entries(output).filter(([key]) => !Object.hasOwn(own, key) && !key.startsWith('reflection_'));
  return { ...Object.fromEntries(spread), ...own };
}

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
