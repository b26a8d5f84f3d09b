import { z } from 'zod';
import type { Json } from '../domain/base/json';
import { COMMAND_NAMES } from '../domain/state/command-payloads';
import { CONVERGENCE_REASONS } from '../domain/state/convergence';
import { attempt, attemptErrors, evaluation, outcome, score } from './evaluation';
import type { Infer } from './infer';
import { count, tokenUsage } from './usage';
import { json, optional, share } from './values';

// What runs hand out. Results may gain fields, so none of these refuses a field that it does not know.

const iteration = z.int().min(1);

const trigger = z.enum(['completion', 'step_interval', 'error', 'tool_result', 'manual', 'quality_drop']);
/** What had work evaluated. */
export type Trigger = z.infer<typeof trigger>;

const origin = z.enum(['draft', 'revision', 'regeneration', 'override']);
/** How a version came to be. `override` is a person's own output. */
export type Origin = z.infer<typeof origin>;

export const reflection = z.object({
  trigger: trigger.describe('What had it evaluated.'),
  afterSteps: count.describe('Turns of the model before it.'),
  evaluation: evaluation.describe('What was found.'),
  timestamp: z.iso.datetime().describe('When it was judged, ISO 8601.'),
});

/** An evaluation of work that was not done yet. */
export interface Reflection extends Infer<typeof reflection> {}

export const version = z.object({
  iteration: iteration.describe('From 1, which is the draft.'),
  output: json.describe('The output; null where it was left out.'),
  omittedBytes: optional(count, 'Bytes of an output that was left out because the whole would have been too large.'),
  evaluation: evaluation.describe('Its judgement.'),
  origin: origin.describe("How it came to be. `override`: it is a person's own output."),
  strategy: optional(z.string(), 'The way in which it was revised.'),
  askedStrategy: optional(z.string(), 'The way of revising that was asked for, where the reply was made in another.'),
  basedOn: optional(
    iteration,
    'The iteration that it was revised from, where that is not the one before: the one before was worse.',
  ),
  improvementsApplied: z.array(z.string()).describe('The issues that it was asked to fix and that are gone.'),
  trigger: trigger.describe('What had it evaluated.'),
  timestamp: z.iso.datetime().describe('When it was judged, ISO 8601, by the clock of the worker that judged it.'),
  tokenUsage: tokenUsage.describe('What generating and judging it cost.'),
  warnings: z.array(z.string()).describe('What its author should know, such as a reply that was cut off.'),
  reflections: optional(
    z.array(reflection),
    'Evaluations on the way to it, in order; absent when there were none. They do not count as iterations.',
  ),
  qualityThreshold: optional(
    share,
    'The threshold that it was judged by, where it had been lowered (`judge.relaxation`).',
  ),
});

/** One output of the loop with its evaluation. Iteration 1 is the draft. */
export interface ReflectionVersion extends Infer<typeof version> {}

export const person = z.object({
  name: z.string().describe('Name of the command.'),
  payload: json.describe('As it was sent; of one that is large, and of outputs, only the size is kept.'),
  by: optional(z.string(), 'Who sent it, as they say.'),
  at: z.iso.datetime().describe('When it came, ISO 8601.'),
  via: z.enum(['signal', 'update']).describe('How it was sent.'),
  applied: z.boolean().describe('Whether it had its effect.'),
  why: optional(z.string(), 'Why it was refused, or had no effect.'),
  more: optional(
    iteration,
    'How many more came in the same moment, were refused as well, and have no entry of their own.',
  ),
});

/** What a person (or a program for them) sent to a run, and what became of it. */
export interface PersonEntry extends Infer<typeof person> {}

export const issueStory = z.object({
  message: z.string().describe('What was wrong.'),
  path: optional(z.string(), 'JSON Pointer into the output.'),
  firstSeen: iteration.describe('The first iteration whose evaluation named it.'),
  lastSeen: iteration.describe('The last one.'),
  fate: z
    .enum(['resolved', 'returned', 'unresolved', 'left_behind'])
    .describe(
      'On the way to the version that is handed back: gone (`resolved`), back after it was gone (`returned`), or never away ' +
        '(`unresolved`). `left_behind`: it was only in versions that were given up.',
    ),
});

/** What became of one issue. */
export interface IssueStory extends Infer<typeof issueStory> {}

export const iterationReport = z.object({
  iteration: iteration.describe('From 1.'),
  basedOn: optional(iteration, 'What it was made from, where that is not the version before.'),
  scoreChange: z
    .number()
    .nullable()
    .describe('Change of the score against what it was made from; null without two scores.'),
  issuesResolved: count.describe('Issues of what it was made from that are gone.'),
  issuesNew: count.describe('Issues that what it was made from did not have.'),
  totalTokens: count.describe('Tokens that it cost.'),
});

/** What one iteration bought for its tokens. */
export interface IterationReport extends Infer<typeof iterationReport> {}

export const report = z.object({
  issues: z.array(issueStory).describe('What became of each issue.'),
  issuesOmitted: count.describe('Issues left out of the list because there are too many.'),
  iterations: z
    .array(iterationReport)
    .describe('The latest iterations. Those of long chains of which too little is known are left out.'),
});

/** What the run bought: computed from its versions, without a model. */
export interface ReflectionReport extends Infer<typeof report> {}

const convergenceReason = z.enum(CONVERGENCE_REASONS);

export const history = z.object({
  versions: z
    .array(version)
    .describe('Every version, in order. Where all are too large, some lose details or are left out.'),
  bestIteration: iteration.nullable().describe('The version that is best; null before a draft.'),
  finalIteration: iteration.nullable().describe('The version that was handed back; null before a draft.'),
  convergenceReason: convergenceReason.describe('Why the loop ended.'),
  totalIterations: count.describe('Versions that were evaluated.'),
  people: z.array(person).describe('What people sent, the oldest first.'),
});

/** Every version, and which of them is best and which was handed back. */
export interface ReflectionHistory extends Infer<typeof history> {}

const resultFlag = z.enum(['overcritical', 'undercritical']);
/** What a run says about its judge. */
export type ResultFlag = z.infer<typeof resultFlag>;

export const result = z.object({
  success: z
    .boolean()
    .describe('A version passed, or a person (or an unanswered review, where the spec says so) accepted one.'),
  exhausted: z.boolean().describe('Any other stop.'),
  finalOutput: json.describe(
    'What is handed back: the accepted version, the passing one, or what `onFailure` names. Null before a draft.',
  ),
  bestOutput: json.describe('The output of the best version. Null before a draft.'),
  finalEvaluation: evaluation.nullable().describe('The judgement of what is handed back; null before a draft.'),
  history: history.describe('Every version, and which of them is best and which was handed back.'),
  iterationsUsed: count.describe('Versions that were evaluated.'),
  convergenceReason: convergenceReason.describe('Why the loop ended.'),
  tokenUsage: tokenUsage.describe('What the whole run cost.'),
  executionTime: z.number().min(0).describe('Milliseconds from the start to the end, waiting included.'),
  flags: z.array(resultFlag).describe('What the run says about its judge.'),
  report: report.describe('What the run bought: computed from its versions, without a model.'),
});

/** What a loop came to. `Output`: what the client read the outputs as, where it was given a schema. */
export interface ReflectionResult<Output = Json> extends Omit<Infer<typeof result>, 'finalOutput' | 'bestOutput'> {
  /** What is handed back: the accepted version, the passing one, or what `onFailure` names. Null before a draft. */
  finalOutput: Output | null;
  /** The output of the best version. Null before a draft. */
  bestOutput: Output | null;
}

const phase = z.enum(['preparing', 'generating', 'evaluating', 'revising', 'waiting', 'remembering', 'done']);
/** What the loop is doing. */
export type Phase = z.infer<typeof phase>;

export const waitingFor = z.object({
  what: z.string().describe('What it waits for.'),
  until: z.string().describe('Until when, ISO 8601.'),
  commands: z
    .array(
      z.object({
        name: z.enum(COMMAND_NAMES).describe('Name of the command.'),
        payload: z.record(z.string(), json).describe('A payload that it takes.'),
      }),
    )
    .describe('What it takes now, each with a payload that it takes.'),
});

/** A person whom a run waits for. */
export interface WaitingFor extends Infer<typeof waitingFor> {}

export const progress = z.object({
  phase: phase.describe('What the loop is doing.'),
  iteration: count.describe(
    'Number of the latest output; 0 before the draft. Commands that name an iteration name this one.',
  ),
  maxIterations: count.describe('Versions that are evaluated at most, with what `extend` added.'),
  scores: z.array(score).describe('Scores of the versions, 0 to 1, in order; null where one is inconclusive.'),
  best: z
    .object({
      iteration: iteration.describe('From 1.'),
      score: score.describe('0 to 1; null when inconclusive.'),
      outcome: outcome.describe('Its outcome.'),
    })
    .nullable()
    .describe('The best version so far; null before one was judged.'),
  tokenUsage: tokenUsage.describe('What the run cost so far.'),
  waitingFor: optional(waitingFor, 'Present while the run waits for a person.'),
});

/** Where a run stands: the answer to the `progress` query and to every update. */
export interface Progress extends Infer<typeof progress> {}

export const historyPage = z.object({
  versions: z.array(version).describe('Versions, in order.'),
  next: optional(iteration, 'The `from` of the next page; absent on the last one.'),
});

/** One page of a run's versions: the answer to the query `history`. */
export interface HistoryPage extends Infer<typeof historyPage> {}

/** What a loop is to later steps of a pipeline; keys of an object output stand beside these. */
export const reflectionState = z.looseObject({
  success: z.boolean().describe('Whether the loop succeeded.'),
  valid: z.boolean().describe('Whether what is handed back passed.'),
  exhausted: z.boolean().describe('Whether the loop ended without success.'),
  reflection_iteration: count.describe('Versions that were evaluated.'),
  reflection_output: json.describe('What is handed back.'),
  reflection_errors: attemptErrors.describe('What is wrong with it.'),
  reflection_history: z
    .array(attempt.extend({ evaluation: evaluation.describe('Its judgement.') }))
    .describe('Every version, in short.'),
  reflection_best: json.describe('The output of the best version.'),
  reflection_best_score: score.describe('Its score, 0 to 1; null when inconclusive.'),
});

export const correctionResult = z.object({
  output: json.describe('What was corrected.'),
  tokenUsage: tokenUsage.describe('What it cost.'),
});

/** What `reflectionCorrect` hands back. */
export interface CorrectionResult extends Infer<typeof correctionResult> {}
