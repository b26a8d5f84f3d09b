import type { Json } from '../../../lib/json/json';
import { callsForReplan, errorCategory, suggestionFor } from './error-category';
import type { EvaluatedTask, Evaluation, TaskResult, EvaluatedPlan, FailurePattern } from '../contract/plan-results';
import { CRITERIA_DEFAULTS } from '../base/defaults';
import type { ReflectionCriteria } from '../contract/plan';
import { findFailurePatterns, renderPercent, orderResults, computeSuccessRate } from './failure-patterns';

interface PlanJudgement {
  evaluation: Evaluation;
  patterns: FailurePattern[];
}

const NOT_TRIED_CONFIDENCE = 0.7;

/**
 * Judges a plan by the results of its tasks, by rules alone. It succeeds when enough tasks did and, unless the criteria say
 * otherwise, none is without a result. Another plan is worth a try when one of its failures calls for one, when too few
 * tasks succeeded and nothing is known of one of the errors, or when nothing failed and yet tasks were left.
 *
 * @param at the time, ISO 8601
 */
export function evaluatePlan(
  plan: EvaluatedPlan,
  results: readonly TaskResult[],
  at: string,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): PlanJudgement {
  const ordered = orderResults(plan, results);
  const missing = plan.tasks.filter((_, index) => !ordered[index]).map(({ id }) => id);
  const judged = plan.tasks.flatMap((task, index) => {
    const result = ordered[index];
    return result ? [{ task, result, evaluation: evaluateTask(task, result, criteria) }] : [];
  });
  const failed = judged.filter(({ result }) => !result.success);
  const rate = computeSuccessRate(plan, results);
  const patterns = findFailurePatterns(plan, results, at, criteria);
  const incomplete = criteria.requireAllTasksComplete ? missing : [];
  const success = plan.tasks.length > 0 && rate >= criteria.minSuccessRate && incomplete.length === 0;
  const confidences = judged.map(({ evaluation }) => evaluation.confidence);
  const issues = [
    ...(plan.tasks.length === 0 ? ['the plan has no tasks'] : []),
    ...(rate < criteria.minSuccessRate && plan.tasks.length > 0
      ? [`success rate ${renderPercent(rate)} is below ${renderPercent(criteria.minSuccessRate)}`]
      : []),
    ...incomplete.map((id) => `task "${id}" was not completed`),
    ...judged.flatMap(({ task, evaluation }) => evaluation.issues.map((issue) => `task "${task.id}": ${issue}`)),
    ...patterns.filter(({ patternType }) => patternType !== 'low_success_rate').map(({ description }) => description),
  ];
  const calls = failed.map(({ result }) => callsForReplan(result.error));
  const replan =
    failed.length === 0 || calls.includes('yes') || (rate < criteria.minSuccessRate && calls.includes('perhaps'));
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

const CONFIDENCE = { success: 1, knownError: 0.9, oddSuccess: 0.7, unknownError: 0.5 };

function isEmpty(output: Json | undefined): boolean {
  if (output === undefined || output === null) return true;
  if (typeof output === 'string') return output.trim() === '';
  return typeof output === 'object' && Object.keys(output).length === 0;
}

function listOddities(task: EvaluatedTask, result: TaskResult, criteria: ReflectionCriteria): [string, string][] {
  // Decimal fractions do not multiply exactly: 1.15 × 100 is a little less than 115, which is not slow.
  const limit = Number(((task.expectedMs ?? Infinity) * criteria.maxExecutionTimeMultiplier).toFixed(6));
  const found: [string, string][] = [];
  if (result.ms > limit) {
    const text = `slow: took ${result.ms} ms, more than ${criteria.maxExecutionTimeMultiplier} × the expected ${task.expectedMs} ms`;
    found.push([text, 'Split the task, or expect it to take longer.']);
  }
  if (result.success && criteria.checkOutputQuality && isEmpty(result.output)) {
    found.push(['the output is empty', 'Check that the task gets what it needs to produce an output.']);
  }
  return found;
}

/**
 * Judges the result of one task, by rules alone. `success` is what the task reported: a slow or empty success stays one,
 * with its issues. `shouldReplan` is only ever true for a failure of a kind that another plan could get around.
 */
export function evaluateTask(
  task: EvaluatedTask,
  result: TaskResult,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): Evaluation {
  const odd = listOddities(task, result, criteria);
  const issues = odd.map(([issue]) => issue);
  const suggestions = odd.map(([, suggestion]) => suggestion);
  if (result.success) {
    const confidence = issues.length > 0 ? CONFIDENCE.oddSuccess : CONFIDENCE.success;
    return { taskId: task.id, success: true, confidence, issues, suggestions, shouldReplan: false };
  }
  const category = errorCategory(result.error);
  return {
    taskId: task.id,
    success: false,
    confidence: category === 'execution' ? CONFIDENCE.unknownError : CONFIDENCE.knownError,
    issues: [`${category}: ${result.error || 'it failed without saying why'}`, ...issues],
    suggestions: [suggestionFor(category), ...suggestions],
    shouldReplan: callsForReplan(result.error) === 'yes',
  };
}
