import { z } from 'zod';
import type { Infer } from './infer';
import { plan, type Task } from './plan';
import { count, tokenUsage } from './usage';
import { json, optional, share } from './values';

// What plans hand out; they may gain fields.

const milliseconds = z.number().min(0);

export const taskResult = z.object({
  taskId: z.string().describe('Id of the task.'),
  success: z.boolean().describe('Whether it succeeded.'),
  output: optional(json, 'What it made.'),
  error: optional(z.string(), 'What went wrong; absent when nothing did.'),
  ms: milliseconds.describe('Milliseconds that it took.'),
});

/** What came of a task. */
export interface TaskResult extends Infer<typeof taskResult> {}

export const planEvaluation = z.object({
  taskId: optional(z.string(), 'Id of the task; of an evaluation of a task.'),
  planId: optional(z.string(), 'Id of the plan; of an evaluation of a plan.'),
  success: z.boolean().describe('Whether it counts as success.'),
  confidence: share.describe('How sure the evaluation is, 0 to 1.'),
  issues: z.array(z.string()).describe('What is wrong.'),
  suggestions: z.array(z.string()).describe('What could be better.'),
  shouldReplan: z.boolean().describe('Whether another plan could help.'),
});

/** What was found about a task or about a plan. */
export interface Evaluation extends Infer<typeof planEvaluation> {}

export const failurePattern = z.object({
  patternType: z.enum(['repeated_errors', 'sequential_failures', 'low_success_rate']).describe('What kind it is of.'),
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
      "Of the last plan's tasks, what earlier plans did for them included; tasks that were not tried have none.",
    ),
  evaluations: z
    .array(planEvaluation)
    .describe('Of all tasks and plans that were judged, in the order of the judging.'),
  patterns: z.array(failurePattern).describe('Of all plans.'),
  replans: count.describe('Plans after the first.'),
  insights: z.array(z.string()).describe('What was learned.'),
  warnings: optional(
    z.array(z.string()),
    'What the run did without, such as a memory that did not answer; absent where there is nothing to say.',
  ),
  tokenUsage: tokenUsage.describe('What the whole run cost.'),
});

/** What came of a goal. */
export interface PlanRunResult extends Infer<typeof planResult> {}

const planPhase = z.enum(['preparing', 'planning', 'running', 'reflecting', 'done']);
export type PlanPhase = z.infer<typeof planPhase>;

const taskStatus = z.enum(['waiting', 'running', 'succeeded', 'failed']);
/** Where a task of the present plan stands. */
export type TaskStatus = z.infer<typeof taskStatus>;

export const taskProgress = z.object({
  id: z.string().describe('Id of the task.'),
  description: z.string().describe('What is to be done.'),
  status: taskStatus.describe('Where it stands.'),
  ms: optional(milliseconds, 'Milliseconds that it took; present once it ended.'),
  error: optional(z.string(), 'What went wrong.'),
  workflowId: optional(z.string(), 'Id of the run that a loop is; present once it started.'),
  issues: optional(
    z.array(z.string()),
    'What was found when it was judged; empty: nothing is wrong with it. Absent: it was not judged yet.',
  ),
});

/** Where one task of the present plan stands. */
export interface TaskProgress extends Infer<typeof taskProgress> {}

export const planProgress = z.object({
  goal: z.string().describe('Its beginning, where it is long.'),
  phase: planPhase.describe('What the run is doing.'),
  attempt: z.int().min(1).describe('Number of the plan, from 1.'),
  tasks: z.array(taskProgress).describe('Where each task of the present plan stands.'),
  judged: z
    .array(
      z.object({
        success: z.boolean().describe('Whether the plan counts as success.'),
        issues: z.array(z.string()).describe('What is wrong with it.'),
      }),
    )
    .describe('What was found about each plan that was judged so far, the first one first.'),
  insights: count.describe('How many insights were learned so far.'),
  tokenUsage: tokenUsage.describe('What the run cost so far.'),
});

/** Answer of the query `progress`. */
export interface PlanProgress extends Infer<typeof planProgress> {}

export const episode = z.object({
  goal: z.string().describe('What was to be reached.'),
  plan: z
    .object({
      id: z.string().describe('What the plan is called.'),
      tasks: z
        .array(
          z.object({
            id: z.string().describe('Unique in its plan.'),
            description: optional(z.string(), 'What was to be done.'),
            dependsOn: optional(z.array(z.string()), 'Ids of tasks that had to succeed first.'),
            expectedMs: optional(z.number().positive(), 'Milliseconds that it should have taken.'),
          }),
        )
        .describe('What is known of the tasks; their steps may be left out.'),
    })
    .describe('What was planned.'),
  results: z.array(taskResult).describe('What came of the tasks.'),
  evaluation: planEvaluation.describe('Of the plan.'),
  startedAt: z.iso.datetime().describe('ISO 8601.'),
  endedAt: z.iso.datetime().describe('ISO 8601.'),
});

/** What an evaluation needs to know of a task. */
export type EvaluatedTask = Pick<Task, 'id'> & Partial<Pick<Task, 'description' | 'dependsOn' | 'expectedMs'>>;

/** What an evaluation needs to know of a plan. */
export interface EvaluatedPlan {
  id: string;
  tasks: readonly EvaluatedTask[];
}

/** A goal, what was planned and done for it, and what was thought of that. */
export interface Episode extends Omit<Infer<typeof episode>, 'plan'> {
  plan: EvaluatedPlan;
}
