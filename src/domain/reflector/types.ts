export type { Plan, Task } from '../../contract/runs/plan';
export type {
  Episode,
  EvaluatedPlan,
  EvaluatedTask,
  Evaluation,
  FailurePattern,
  TaskResult,
} from '../../contract/results/plan-results';
