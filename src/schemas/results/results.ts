import { z } from 'zod';
import { COMMAND_NAMES } from '../../domain/state/command-payloads';
import { CONVERGENCE_REASONS } from '../../domain/state/convergence';
import type { ReflectionEvaluation } from '../../domain/state/evaluation';
import type { Progress } from '../../domain/page/progress';
import type { AttemptSummary, ReflectionResult } from '../../domain/versions/result';
import type { Assert, SameType } from '../../domain/base/same-type';
import type { CorrectionResult, EvaluationState } from '../../domain/step-state/standalone';
import type { TokenUsage } from '../../domain/base/tokens';
import type { ReflectionVersion } from '../../domain/state/version';
import { count, tokenUsageSchema } from '../../contract/usage';
import { json, share } from '../../contract/values';

// What runs hand out. Results may gain fields, so none of these refuses a field that it does not know.

const iteration = z.int().min(1);
const score = share.nullable();

const outcome = z.enum(['pass', 'fail', 'inconclusive']);

const issue = z.object({
  message: z.string(),
  path: z.string().optional(),
  criterion: z.string().optional(),
  severity: z.enum(['minor', 'major', 'critical']).optional(),
  suggestion: z.string().optional(),
  missingInformation: z.literal(true).optional(),
  type: z.string().optional(),
  evaluator: z.string(),
});

export const evaluationSchema = z.object({
  outcome,
  satisfactory: z.boolean(),
  overallScore: score,
  criteriaScores: z.record(z.string(), z.number()),
  issues: z.array(issue),
  suggestions: z.array(z.string()),
  confidence: share,
  reason: z.string().optional(),
  evaluators: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      outcome,
      score,
      checksPassed: share.optional(),
      ms: z.number().min(0),
    }),
  ),
  unreadReplies: z
    .array(z.object({ evaluator: z.string(), reply: z.string(), problem: z.string(), repaired: z.boolean() }))
    .optional(),
});

const trigger = z.enum(['completion', 'step_interval', 'error', 'tool_result', 'manual', 'quality_drop']);

export const versionSchema = z.object({
  iteration,
  output: json,
  omittedBytes: count.optional(),
  evaluation: evaluationSchema,
  origin: z.enum(['draft', 'revision', 'regeneration', 'override']),
  strategy: z.string().optional(),
  askedStrategy: z.string().optional(),
  basedOn: iteration.optional(),
  improvementsApplied: z.array(z.string()),
  trigger,
  timestamp: z.iso.datetime(),
  tokenUsage: tokenUsageSchema,
  warnings: z.array(z.string()),
  reflections: z
    .array(z.object({ trigger, afterSteps: count, evaluation: evaluationSchema, timestamp: z.iso.datetime() }))
    .optional(),
  qualityThreshold: share.optional(),
});

const convergenceReason = z.enum(CONVERGENCE_REASONS);

const person = z.object({
  name: z.string(),
  payload: json,
  by: z.string().optional(),
  at: z.iso.datetime(),
  via: z.enum(['signal', 'update']),
  applied: z.boolean(),
  why: z.string().optional(),
  more: z.int().min(1).optional(),
});

const report = z.object({
  issues: z.array(
    z.object({
      message: z.string(),
      path: z.string().optional(),
      firstSeen: iteration,
      lastSeen: iteration,
      fate: z.enum(['resolved', 'returned', 'unresolved', 'left_behind']),
    }),
  ),
  issuesOmitted: count,
  iterations: z.array(
    z.object({
      iteration,
      basedOn: iteration.optional(),
      scoreChange: z.number().nullable(),
      issuesResolved: count,
      issuesNew: count,
      totalTokens: count,
    }),
  ),
});

export const resultSchema = z.object({
  success: z.boolean(),
  exhausted: z.boolean(),
  finalOutput: json,
  bestOutput: json,
  finalEvaluation: evaluationSchema.nullable(),
  history: z.object({
    versions: z.array(versionSchema),
    bestIteration: iteration.nullable(),
    finalIteration: iteration.nullable(),
    convergenceReason,
    totalIterations: count,
    people: z.array(person),
  }),
  iterationsUsed: count,
  convergenceReason,
  tokenUsage: tokenUsageSchema,
  executionTime: z.number().min(0),
  flags: z.array(z.enum(['overcritical', 'undercritical'])),
  report,
});

export const progressSchema = z.object({
  phase: z.enum(['preparing', 'generating', 'evaluating', 'revising', 'waiting', 'remembering', 'done']),
  iteration: count,
  maxIterations: count,
  scores: z.array(score),
  best: z.object({ iteration, score, outcome }).nullable(),
  tokenUsage: tokenUsageSchema,
  waitingFor: z
    .object({
      what: z.string(),
      until: z.string(),
      commands: z.array(z.object({ name: z.enum(COMMAND_NAMES), payload: z.record(z.string(), json) })),
    })
    .optional(),
});

/** One page of versions: the answer to the query `history`. */
export const historyPageSchema = z.object({ versions: z.array(versionSchema), next: iteration.optional() });

/** What is wrong with an output, as templates, inline code and the history of a failure see it. */
const attemptErrors = z.array(
  z.object({
    message: z.string(),
    path: z.string().optional(),
    type: z.string().optional(),
    suggestion: z.string().optional(),
  }),
);

/** A version, in short. */
export const attemptSchema = z.object({
  iteration,
  output: json,
  score,
  valid: z.boolean(),
  errors: attemptErrors,
});

/** What an evaluation is to later steps of a pipeline. */
export const evaluationStateSchema = z.object({
  valid: z.boolean(),
  score,
  errors: attemptErrors,
  suggestions: z.array(z.string()),
  reason: z.string(),
  outcome,
});

/** What a loop is to later steps of a pipeline; keys of an object output stand beside these. */
export const reflectionStateSchema = z.looseObject({
  success: z.boolean(),
  valid: z.boolean(),
  exhausted: z.boolean(),
  reflection_iteration: count,
  reflection_output: json,
  reflection_errors: attemptErrors,
  reflection_history: z.array(attemptSchema.extend({ evaluation: evaluationSchema })),
  reflection_best: json,
  reflection_best_score: score,
});

export const correctionResultSchema = z.object({ output: json, tokenUsage: tokenUsageSchema });

/** Does not compile when a schema and its interface differ, in either direction. */
export type ResultSchemasFit = [
  Assert<SameType<z.output<typeof evaluationSchema>, ReflectionEvaluation>>,
  Assert<SameType<z.output<typeof tokenUsageSchema>, TokenUsage>>,
  Assert<SameType<z.output<typeof versionSchema>, ReflectionVersion>>,
  Assert<SameType<z.output<typeof resultSchema>, ReflectionResult>>,
  Assert<SameType<z.output<typeof progressSchema>, Progress>>,
  Assert<SameType<z.output<typeof attemptSchema>, AttemptSummary>>,
  Assert<SameType<z.output<typeof evaluationStateSchema>, EvaluationState>>,
  Assert<SameType<z.output<typeof correctionResultSchema>, CorrectionResult>>,
];
