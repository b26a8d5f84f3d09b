import { CRITERIA_DEFAULTS } from '../base/defaults';
import type { ReflectionCriteria } from './criteria';
import { callsForReplan, errorCategory } from './error-category';
import { evaluateTask } from './evaluate-task';
import { failurePatterns, percent, resultsInOrder, successRate } from './failure-patterns';
import type { EvaluatedPlan, Evaluation, FailurePattern, TaskResult } from './types';

/** What the rules found about a plan. */
export interface PlanJudgement {
  evaluation: Evaluation;
  patterns: FailurePattern[];
}

const NOT_TRIED_CONFIDENCE = 0.7;

/**
 * Judges a plan by what came of its tasks, by rules alone. It succeeds when enough tasks did and, unless the criteria say
 * otherwise, none is without a result. Another plan is worth a try when one of its failures calls for one, or when nothing
 * failed and yet tasks were left.
 *
 * @param at the time, ISO 8601
 */
export function evaluatePlan(
  plan: EvaluatedPlan,
  results: readonly TaskResult[],
  at: string,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): PlanJudgement {
  const ordered = resultsInOrder(plan, results);
  const missing = plan.tasks.filter((_, index) => !ordered[index]).map(({ id }) => id);
  const judged = plan.tasks.flatMap((task, index) => {
    const result = ordered[index];
    return result ? [{ task, result, evaluation: evaluateTask(task, result, criteria) }] : [];
  });
  const failed = judged.filter(({ result }) => !result.success);
  const rate = successRate(plan, results);
  const patterns = failurePatterns(plan, results, at, criteria);
  const incomplete = criteria.requireAllTasksComplete ? missing : [];
  const success = plan.tasks.length > 0 && rate >= criteria.minSuccessRate && incomplete.length === 0;
  const confidences = judged.map(({ evaluation }) => evaluation.confidence);
  const issues = [
    ...(plan.tasks.length === 0 ? ['the plan has no tasks'] : []),
    ...(rate < criteria.minSuccessRate && plan.tasks.length > 0
      ? [`success rate ${percent(rate)} is below ${percent(criteria.minSuccessRate)}`]
      : []),
    ...incomplete.map((id) => `task "${id}" was not completed`),
    ...judged.flatMap(({ task, evaluation }) => evaluation.issues.map((issue) => `task "${task.id}": ${issue}`)),
    ...patterns.filter(({ patternType }) => patternType !== 'low_success_rate').map(({ description }) => description),
  ];
  const replan = failed.length === 0 || failed.some(({ result }) => callsForReplan(errorCategory(result.error)));
  return {
    evaluation: {
      planId: plan.id,
      success,
      confidence: Math.min(1, ...confidences, ...(missing.length > 0 ? [NOT_TRIED_CONFIDENCE] : [])),
      issues,
      suggestions: [
        ...new Set([
          ...judged.flatMap(({ evaluation }) => evaluation.suggestions),
          ...patterns.flatMap(({ suggestedFix }) => suggestedFix ?? []),
        ]),
      ],
      shouldReplan: !success && replan,
    },
    patterns,
  };
}
