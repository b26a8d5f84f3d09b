import { z } from 'zod';
import type { Infer } from '../../../lib/contract/infer';
import { plan, type Task } from './plan';
import { count, json, optional, retrying, share, tokenUsage } from '../../../lib/contract/values';

// Results of plans; they may gain fields.

const milliseconds = z.number().min(0);

export const taskResult = z.object({
  taskId: z.string().describe('Id of the task.'),
  success: z.boolean().describe('Whether it succeeded.'),
  output: optional(json, 'Its output.'),
  error: optional(z.string(), 'The error; absent if there was none.'),
  ms: milliseconds.describe('Milliseconds that it took.'),
});

/** The result of a task. */
export interface TaskResult extends Infer<typeof taskResult> {}

export const planEvaluation = z.object({
  taskId: optional(z.string(), 'Id of the task, in the evaluation of a task.'),
  planId: optional(z.string(), 'Id of the plan, in the evaluation of a plan.'),
  success: z.boolean().describe('Whether it counts as success.'),
  confidence: share.describe('How sure the evaluation is, 0 to 1.'),
  issues: z.array(z.string()).describe('What is wrong.'),
  suggestions: z.array(z.string()).describe('What could be better.'),
  shouldReplan: z.boolean().describe('Whether another plan could help.'),
});

/** The evaluation of a task or of a plan. */
export interface Evaluation extends Infer<typeof planEvaluation> {}

export const failurePattern = z.object({
  patternType: z.enum(['repeated_errors', 'sequential_failures', 'low_success_rate']).describe('Kind of the pattern.'),
  description: z.string().describe('What was seen.'),
  occurrences: count.describe('How often it was seen.'),
  affectedTasks: z.array(z.string()).describe("Ids of tasks, in the plan's order."),
  suggestedFix: optional(z.string(), 'What could be done about it.'),
  detectedAt: z.iso.datetime().describe('When it was seen, ISO 8601.'),
});

/** Failures of several tasks that look as if they had one cause. */
export interface FailurePattern extends Infer<typeof failurePattern> {}

export const planResult = z.object({
  success: z.boolean().describe('Whether the goal was reached.'),
  plan: plan.describe('The last plan.'),
  results: z
    .array(taskResult)
    .describe(
      "Results of the last plan's tasks, including those from earlier plans; tasks that were not tried have none.",
    ),
  evaluations: z.array(planEvaluation).describe('Evaluations of all tasks and plans, in order.'),
  patterns: z.array(failurePattern).describe('Patterns in the failures of all plans.'),
  replans: count.describe('Number of plans after the first.'),
  insights: z.array(z.string()).describe('The insights of the run.'),
  warnings: optional(z.array(z.string()), 'Warnings, such as a memory that did not answer; absent if there are none.'),
  tokenUsage: tokenUsage.describe('Tokens and cost of the whole run.'),
});

/** The result of a plan. */
export interface PlanRunResult extends Infer<typeof planResult> {}

export const planPhase = z.enum(['preparing', 'planning', 'running', 'reflecting', 'done']);
export type PlanPhase = z.infer<typeof planPhase>;

const taskStatus = z.enum(['waiting', 'running', 'succeeded', 'failed']);
export type TaskStatus = z.infer<typeof taskStatus>;

export const taskProgress = z.object({
  id: z.string().describe('Id of the task.'),
  description: z.string().describe('What the task is.'),
  status: taskStatus.describe('Status of the task.'),
  ms: optional(milliseconds, 'Milliseconds that it took; present once it ended.'),
  error: optional(z.string(), 'What went wrong.'),
  workflowId: optional(z.string(), 'Id of the run of a loop; present once it has started.'),
  issues: optional(
    z.array(z.string()),
    'Issues of its evaluation; empty if there are none, absent if it was not evaluated yet.',
  ),
});

/** The progress of one task of the present plan. */
export interface TaskProgress extends Infer<typeof taskProgress> {}

export const judgedPlans = z
  .array(
    z.object({
      success: z.boolean().describe('Whether the plan counts as success.'),
      issues: z.array(z.string()).describe('What is wrong with it.'),
    }),
  )
  .describe('Evaluation of each plan so far, in order.');

export const planProgress = z.object({
  goal: z.string().describe('The goal; truncated if it is long.'),
  phase: planPhase.describe('What the run is doing.'),
  attempt: z.int().min(1).describe('Number of the plan, from 1.'),
  tasks: z.array(taskProgress).describe('Progress of each task of the current plan.'),
  judged: judgedPlans,
  insights: count.describe('Number of insights so far.'),
  retrying,
  tokenUsage: tokenUsage.describe('Tokens and cost of the run so far.'),
});

/** The answer to the query `progress`. */
export interface PlanProgress extends Infer<typeof planProgress> {}

export const episode = z.object({
  goal: z.string().describe('The goal.'),
  plan: z
    .object({
      id: z.string().describe('Id of the plan.'),
      tasks: z
        .array(
          z.object({
            id: z.string().describe('Unique in its plan.'),
            description: optional(z.string(), 'What was to be done.'),
            dependsOn: optional(z.array(z.string()), 'Ids of tasks that had to succeed first.'),
            expectedMs: optional(z.number().positive(), 'Milliseconds that it should have taken.'),
          }),
        )
        .describe('The tasks; their steps may be left out.'),
    })
    .describe('The plan.'),
  results: z.array(taskResult).describe('Results of the tasks.'),
  evaluation: planEvaluation.describe('Evaluation of the plan.'),
  startedAt: z.iso.datetime().describe('ISO 8601.'),
  endedAt: z.iso.datetime().describe('ISO 8601.'),
});

/** The fields of a task that an evaluation needs. */
export type EvaluatedTask = Pick<Task, 'id'> & Partial<Pick<Task, 'description' | 'dependsOn' | 'expectedMs'>>;

/** The fields of a plan that an evaluation needs. */
export interface EvaluatedPlan {
  id: string;
  tasks: readonly EvaluatedTask[];
}

/** An episode: a goal, the plan for it with its results, and their evaluation. */
export interface Episode extends Omit<Infer<typeof episode>, 'plan'> {
  plan: EvaluatedPlan;
}
