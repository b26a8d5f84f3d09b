export type { Plan, Task } from '../../contract/plan';
export type {
  Episode,
  EvaluatedPlan,
  EvaluatedTask,
  Evaluation,
  FailurePattern,
  TaskResult,
} from '../../contract/plan-results';
