import type { JsonObject } from '../../../lib/json/json';
import { CRITERIA_DEFAULTS } from '../base/defaults';
import type { ReflectionCriteria } from '../contract/plan';
import { errorCategory, suggestionFor } from './error-category';
import type { EvaluatedPlan, FailurePattern, TaskResult } from '../contract/plan-results';
import { roundPercent } from '../../../lib/text/percent';

/** The number of failures of a kind, or in a row, that make a pattern. */
const SEVERAL = 2;

/** The results of a plan's tasks, in the plan's order; the last result of a task counts. */
export function orderResults(plan: EvaluatedPlan, results: readonly TaskResult[]): (TaskResult | undefined)[] {
  const byTask = new Map(results.map((result) => [result.taskId, result]));
  return plan.tasks.map(({ id }) => byTask.get(id));
}

/** The share of the plan's tasks that succeeded. A task without a result did not. */
export function computeSuccessRate(plan: EvaluatedPlan, results: readonly TaskResult[]): number {
  const ordered = orderResults(plan, results);
  return ordered.length === 0 ? 0 : ordered.filter((result) => result?.success).length / ordered.length;
}

function kindOf({ error = '' }: TaskResult): string {
  const category = errorCategory(error);
  return category === 'execution' ? `execution: ${error.replace(/\d+/g, '#').trim().toLowerCase()}` : category;
}

function findRepeatedErrors(failures: readonly TaskResult[]): Omit<FailurePattern, 'detectedAt'>[] {
  const kinds = new Map<string, TaskResult[]>();
  for (const failure of failures) kinds.set(kindOf(failure), [...(kinds.get(kindOf(failure)) ?? []), failure]);
  return [...kinds.values()]
    .filter((same) => same.length >= SEVERAL)
    .map((same) => {
      const category = errorCategory(same[0]!.error);
      return {
        patternType: 'repeated_errors',
        description: `${same.length} tasks failed with the same kind of error (${category})`,
        occurrences: same.length,
        affectedTasks: same.map(({ taskId }) => taskId),
        suggestedFix: suggestionFor(category),
      };
    });
}

/** Finds runs of tasks that failed one after the other, in the plan's order. A task that was never tried did not fail. */
function findSequentialFailures(ordered: readonly (TaskResult | undefined)[]): Omit<FailurePattern, 'detectedAt'>[] {
  const rows: TaskResult[][] = [[]];
  for (const result of ordered) {
    if (result && !result.success) rows.at(-1)!.push(result);
    else rows.push([]);
  }
  return rows
    .filter((row) => row.length >= SEVERAL)
    .map((row) => ({
      patternType: 'sequential_failures',
      description: `${row.length} tasks in a row failed, from "${row[0]!.taskId}" on`,
      occurrences: row.length,
      affectedTasks: row.map(({ taskId }) => taskId),
      suggestedFix: `Look for the cause at "${row[0]!.taskId}", where it began.`,
    }));
}

function findLowRate(plan: EvaluatedPlan, results: readonly TaskResult[], criteria: ReflectionCriteria) {
  const rate = computeSuccessRate(plan, results);
  if (plan.tasks.length === 0 || rate >= criteria.minSuccessRate) return [];
  const ordered = orderResults(plan, results);
  const affectedTasks = plan.tasks.flatMap(({ id }, index) => (ordered[index]?.success ? [] : [id]));
  return [
    {
      patternType: 'low_success_rate' as const,
      description: `${renderPercent(rate)} of the tasks succeeded, and ${renderPercent(criteria.minSuccessRate)} should`,
      occurrences: affectedTasks.length,
      affectedTasks,
      suggestedFix: 'Plan fewer or smaller tasks, and secure what they rely on first.',
    },
  ];
}

/** Renders a share as a percentage with at most one decimal. */
export function renderPercent(share: number): string {
  return `${roundPercent(share, 1)}%`;
}

/** Finds patterns in a plan's failures: errors that repeat, failures in a row, and too few successes. */
export function findFailurePatterns(
  plan: EvaluatedPlan,
  results: readonly TaskResult[],
  detectedAt: string,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): FailurePattern[] {
  const ordered = orderResults(plan, results);
  const failures = ordered.filter((result) => result !== undefined).filter(({ success }) => !success);
  return [
    ...findRepeatedErrors(failures),
    ...findSequentialFailures(ordered),
    ...findLowRate(plan, results, criteria),
  ].map((pattern) => ({ ...pattern, detectedAt }));
}

/** Returns a pattern with the keys of the Python original. */
export function toDict(pattern: FailurePattern): JsonObject {
  return {
    pattern_type: pattern.patternType,
    description: pattern.description,
    occurrences: pattern.occurrences,
    affected_tasks: [...pattern.affectedTasks],
    suggested_fix: pattern.suggestedFix ?? null,
    detected_at: pattern.detectedAt,
  };
}
