import { z } from 'zod';
import type { PlanProgress } from '../../domain/page/plan-page';
import type { PlanRunResult } from '../../domain/plan/plan-spec';
import { type Episode, type Evaluation, type FailurePattern, PATTERN_TYPES } from '../../domain/reflector/types';
import type { TaskResult } from '../../domain/reflector/types';
import type { Assert, SameType } from '../../domain/base/same-type';
import { plan } from '../../contract/plan';
import { count, tokenUsage } from '../../contract/usage';
import { json, share } from '../../contract/values';

// What plans hand out; they may gain fields.

const milliseconds = z.number().min(0);

export const taskResultSchema = z.object({
  taskId: z.string(),
  success: z.boolean(),
  output: json.optional(),
  error: z.string().optional(),
  ms: milliseconds,
});

export const planEvaluationSchema = z.object({
  taskId: z.string().optional(),
  planId: z.string().optional(),
  success: z.boolean(),
  confidence: share,
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  shouldReplan: z.boolean(),
});

export const failurePatternSchema = z.object({
  patternType: z.enum(PATTERN_TYPES),
  description: z.string(),
  occurrences: count,
  affectedTasks: z.array(z.string()),
  suggestedFix: z.string().optional(),
  detectedAt: z.iso.datetime(),
});

export const planResultSchema = z.object({
  success: z.boolean(),
  plan,
  results: z.array(taskResultSchema),
  evaluations: z.array(planEvaluationSchema),
  patterns: z.array(failurePatternSchema),
  replans: count,
  insights: z.array(z.string()),
  warnings: z.array(z.string()).optional(),
  tokenUsage,
});

export const planProgressSchema = z.object({
  goal: z.string(),
  phase: z.enum(['preparing', 'planning', 'running', 'reflecting', 'done']),
  attempt: z.int().min(1),
  tasks: z.array(
    z.object({
      id: z.string(),
      description: z.string(),
      status: z.enum(['waiting', 'running', 'succeeded', 'failed']),
      ms: milliseconds.optional(),
      error: z.string().optional(),
      workflowId: z.string().optional(),
      issues: z.array(z.string()).optional(),
    }),
  ),
  judged: z.array(z.object({ success: z.boolean(), issues: z.array(z.string()) })),
  insights: count,
  tokenUsage,
});

/** What is known of tasks is enough to judge them: their steps may be left out. */
export const episodeSchema = z.object({
  goal: z.string(),
  plan: z.object({
    id: z.string(),
    tasks: z.array(
      z.object({
        id: z.string(),
        description: z.string().optional(),
        dependsOn: z.array(z.string()).optional(),
        expectedMs: z.number().positive().optional(),
      }),
    ),
  }),
  results: z.array(taskResultSchema),
  evaluation: planEvaluationSchema,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
});

/** A plan's steps are checked by hand, so the types of these differ in them. */
type WithoutPlan<T extends { plan: unknown }> = Omit<T, 'plan'>;

/** Does not compile when a schema and its interface differ, in either direction. */
export type PlanResultSchemasFit = [
  Assert<SameType<z.output<typeof taskResultSchema>, TaskResult>>,
  Assert<SameType<z.output<typeof planEvaluationSchema>, Evaluation>>,
  Assert<SameType<z.output<typeof failurePatternSchema>, FailurePattern>>,
  Assert<SameType<WithoutPlan<z.output<typeof planResultSchema>>, WithoutPlan<PlanRunResult>>>,
  Assert<SameType<z.output<typeof planProgressSchema>, PlanProgress>>,
  Assert<SameType<WithoutPlan<z.output<typeof episodeSchema>>, WithoutPlan<Episode>>>,
];
