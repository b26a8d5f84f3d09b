import type { Json } from '../base/json';
import { CRITERIA_DEFAULTS } from '../base/defaults';
import type { ReflectionCriteria } from './criteria';
import { callsForReplan, errorCategory, suggestionFor } from './error-category';
import type { EvaluatedTask, Evaluation, TaskResult } from './types';

/** How sure the rules are. What succeeded and looks odd, and errors of no known kind, may be something else. */
const CONFIDENCE = { success: 1, knownError: 0.9, oddSuccess: 0.7, unknownError: 0.5 };

function isEmpty(output: Json | undefined): boolean {
  if (output === undefined || output === null) return true;
  if (typeof output === 'string') return output.trim() === '';
  return typeof output === 'object' && Object.keys(output).length === 0;
}

/** What is odd although it did not fail: issues, each with a suggestion. */
function oddities(task: EvaluatedTask, result: TaskResult, criteria: ReflectionCriteria): [string, string][] {
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
 * Judges what came of one task, by rules alone. `success` is what the task reported: a slow or empty success stays one, with
 * its issues. `shouldReplan` is only ever true for a failure.
 */
export function evaluateTask(
  task: EvaluatedTask,
  result: TaskResult,
  criteria: ReflectionCriteria = CRITERIA_DEFAULTS,
): Evaluation {
  const odd = oddities(task, result, criteria);
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
    shouldReplan: callsForReplan(category),
  };
}
