import type { PublishedShapes } from '../../../lib/contract/published';
import { plan, planSpec, reflectionCriteria, task } from '../contract/plan';
import {
  episode,
  failurePattern,
  planEvaluation,
  planProgress,
  planResult,
  taskResult,
} from '../contract/plan-results';

export const listPlanShapes = (): PublishedShapes => ({
  'plan-spec': ['PlanSpec', 'The argument of planReflection.', planSpec],
  plan: ['Plan', 'Tasks, and what they depend on.', plan],
  task: ['Task', 'One task of a plan.', task],
  'reflection-criteria': ['ReflectionCriteria', 'What counts as success of a plan.', reflectionCriteria],
  'task-result': ['TaskResult', 'The result of a task.', taskResult],
  'plan-evaluation': ['Evaluation', 'What was found about a task or about a plan.', planEvaluation],
  'failure-pattern': ['FailurePattern', 'Failures that look as if they had one cause.', failurePattern],
  'plan-result': ['PlanRunResult', 'The result of planReflection.', planResult],
  'plan-progress': ['PlanProgress', 'The answer to the query `progress` of planReflection.', planProgress],
  episode: ['Episode', 'A goal, what was planned and done for it, and what was thought of that.', episode],
});
