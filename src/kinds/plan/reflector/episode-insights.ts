import { oneLine } from '../../../lib/text/summary-text';
import { errorCategory } from './error-category';
import { findFailurePatterns } from './failure-patterns';
import { CRITERIA_DEFAULTS } from '../base/defaults';
import type { ReflectionCriteria } from '../contract/plan';
import type { Episode } from '../contract/plan-results';

/** An insight, and how much it matters, 0..1. */
export interface EpisodeInsight {
  text: string;
  importance: number;
}

const ERROR_LENGTH = 200;
const GOAL_LENGTH = 200;

const IMPORTANCE = { pattern: 0.9, failure: 0.8, suggestion: 0.7, success: 0.5 };

/** Lists the insights for the next plan of such a goal: what failed, why, and what worked. */
export function listEpisodeInsights(
  { goal, plan, results, evaluation, endedAt }: Episode,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): EpisodeInsight[] {
  const about = oneLine(goal, GOAL_LENGTH);
  const described = new Map(plan.tasks.map(({ id, description }) => [id, description ?? id]));
  const known = results.filter(({ taskId }) => described.has(taskId));
  const failures = known.filter(({ success }) => !success);
  const patterns = findFailurePatterns(plan, results, endedAt, criteria);
  const insights = [
    ...patterns.map(({ description, suggestedFix, affectedTasks }) => ({
      text: `Goal "${about}": ${description} (${affectedTasks.join(', ')}). ${suggestedFix ?? ''}`.trim(),
      importance: IMPORTANCE.pattern,
    })),
    ...failures.map(({ taskId, error }) => ({
      text: `Goal "${about}": the task "${oneLine(described.get(taskId)!, GOAL_LENGTH)}" failed (${errorCategory(error)}): ${oneLine(error || 'it did not say why', ERROR_LENGTH)}`,
      importance: IMPORTANCE.failure,
    })),
    ...(failures.length === 0 ? [] : evaluation.suggestions).map((suggestion) => ({
      text: `Goal "${about}": ${suggestion}`,
      importance: IMPORTANCE.suggestion,
    })),
    ...(evaluation.success
      ? [{ text: `Goal "${about}": this plan worked: ${ways(plan.tasks)}`, importance: IMPORTANCE.success }]
      : []),
  ];
  return [...new Map(insights.map((insight) => [insight.text, insight])).values()];
}

function ways(tasks: Episode['plan']['tasks']): string {
  return oneLine(tasks.map(({ id, description }) => description ?? id).join('; '), 2 * GOAL_LENGTH);
}
