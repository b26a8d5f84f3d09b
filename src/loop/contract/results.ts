import { z } from 'zod';
import type { Json } from '../../lib/json/json';
import { CONVERGENCE_REASONS } from '../base/convergence';
import { blockerCheck, need } from './blockers';
import { callRecord, callsOmitted } from './calls';
import { attemptErrors, evaluation, historyEntry, outcome, score } from './evaluation';
import { report } from './report';
import { waitingFor } from './waiting';
import type { Infer } from '../../lib/contract/infer';
import { count, json, optional, retrying, share, tokenUsage } from '../../lib/contract/values';

// Results of runs. They may gain fields, so none of these shapes refuses a field that it does not know.

const iteration = z.int().min(1);

const trigger = z.enum(['completion', 'step_interval', 'error', 'tool_result', 'manual', 'quality_drop']);
export type Trigger = z.infer<typeof trigger>;

const origin = z.enum(['draft', 'revision', 'regeneration', 'override']);
/** The origin of a version. `override` is a person's own output. */
export type Origin = z.infer<typeof origin>;

export const reflection = z.object({
  trigger: trigger.describe('Why it was evaluated.'),
  afterSteps: count.describe('Number of turns of the model before it.'),
  evaluation: evaluation.describe('The evaluation.'),
  timestamp: z.iso.datetime().describe('When it was judged, ISO 8601.'),
});

/** An evaluation of unfinished work. */
export interface Reflection extends Infer<typeof reflection> {}

export const ranking = z.object({
  failedGates: z.array(z.string()).describe('Names of the gates that it failed.'),
  failedChecks: z
    .array(z.string())
    .describe('Names of the evaluators without a model that it failed, gates among them.'),
  unjudgedChecks: count.describe('Number of evaluators without a model that could not judge it, or were not asked.'),
  checksPassed: share.describe('Mean of the shares of checks that passed.'),
  issueWeight: z
    .number()
    .min(0)
    .describe('Its issues by severity: a minor one counts 1, a major one 2, a critical one 3.'),
});

/** The values that rank a version beside its outcome and its score. They stay when an evaluation loses its details. */
export interface Ranking extends Infer<typeof ranking> {}

export const version = z.object({
  iteration: iteration.describe('Number of the version, from 1, which is the draft.'),
  output: json.describe('The output; null if it was left out.'),
  omittedBytes: optional(
    count,
    'Size in bytes of an output that was left out because the whole would have been too large.',
  ),
  evaluation: evaluation.describe('Its evaluation.'),
  origin: origin.describe("How it was made. `override`: it is a person's own output."),
  strategy: optional(z.string(), 'The strategy by which it was revised.'),
  askedStrategy: optional(z.string(), 'The requested strategy, if the reply used another one.'),
  basedOn: optional(
    iteration,
    'The iteration from which it was revised, if that is not the one before, because the one before was worse.',
  ),
  improvementsApplied: z.array(z.string()).describe('Issues that the revision was asked to fix and that are gone.'),
  trigger: trigger.describe('Why it was evaluated.'),
  timestamp: z.iso.datetime().describe('When it was judged, ISO 8601, by the clock of the worker that judged it.'),
  tokenUsage: tokenUsage.describe('Tokens and cost of generating and evaluating it.'),
  evaluationUsage: optional(tokenUsage, 'The part of them that its evaluators used; absent if they asked no model.'),
  warnings: z.array(z.string()).describe('Warnings for the author of the spec, such as a reply that was cut off.'),
  cutOff: optional(z.literal(true), 'The reply was cut off at its token limit, so that its end is missing.'),
  reflections: optional(
    z.array(reflection),
    'Evaluations on the way to it, in order; absent when there were none. They do not count as iterations.',
  ),
  qualityThreshold: optional(share, 'The threshold that applied, if it had been lowered (`judge.relaxation`).'),
  calls: optional(
    z.array(callRecord),
    'Calls that were made on the way to it, in order: of tools by its model, and of the action, code or workflow that is the step.',
  ),
  callsOmitted,
  blocked: optional(blockerCheck, 'Whether a revision could help, where every serious issue has a blocker.'),
  ranking: optional(ranking, 'What ranks it beside outcome and score.'),
});

/** One output of the loop with its evaluation. Iteration 1 is the draft. */
export interface ReflectionVersion extends Infer<typeof version> {}

export const person = z.object({
  name: z.string().describe('Name of the command.'),
  payload: json.describe('The payload as it was sent; for outputs and large payloads, only the size.'),
  by: optional(z.string(), 'The sender, as stated in the command; not verified.'),
  at: z.iso.datetime().describe('When it arrived, ISO 8601.'),
  via: z.enum(['signal', 'update']).describe('How it was sent.'),
  applied: z.boolean().describe('Whether it was applied.'),
  why: optional(z.string(), 'Why it was refused, or had no effect.'),
  version: optional(iteration, 'Of an `accept` that ended the run: the version that was returned.'),
  failedChecks: optional(z.array(z.string()), 'Names of the gates and checks that this version failed.'),
  more: optional(
    iteration,
    'Number of further commands that arrived at the same moment, were refused as well, and have no entry of their own.',
  ),
});

/** A command that a person (or a program for them) sent to a run, and its effect. */
export interface PersonEntry extends Infer<typeof person> {}

const convergenceReason = z.enum(CONVERGENCE_REASONS);

export const history = z.object({
  versions: z
    .array(version)
    .describe('Every version, in order. If all together are too large, some lose details or are left out.'),
  bestIteration: iteration.nullable().describe('Iteration of the best version; null before a draft.'),
  finalIteration: iteration.nullable().describe('Iteration of the returned version; null before a draft.'),
  convergenceReason: convergenceReason.describe('Why the loop ended.'),
  totalIterations: count.describe('Number of versions that were evaluated.'),
  people: z.array(person).describe('Commands that people sent, the oldest first.'),
});

/** Every version, and which of them is the best and which was returned. */
export interface ReflectionHistory extends Infer<typeof history> {}

const resultFlag = z.enum(['overcritical', 'undercritical']);
export type ResultFlag = z.infer<typeof resultFlag>;

export const result = z.object({
  page: z
    .array(z.string())
    .optional()
    .describe(
      "The run's page as lines of text, for people who read the result in the Web UI. Absent where the memo keeps it: after a wait for a person, in child workflows, and in results that are stored outside the history.",
    ),
  success: z
    .boolean()
    .describe(
      'True if a version passed, or if a person (or an unanswered review, with `onTimeout: accept`) accepted one.',
    ),
  exhausted: z.boolean().describe('True if the loop ended in any other way.'),
  finalOutput: json.describe(
    'The returned output: that of the accepted version, of the passing one, or of the one that `onFailure` names. Null before a draft.',
  ),
  bestOutput: json.describe(
    'The output of the best version. Null before a draft, or if it does not fit beside the final output.',
  ),
  finalEvaluation: evaluation.nullable().describe('Evaluation of the returned version; null before a draft.'),
  history: history.describe('Every version, and which of them is the best and which was returned.'),
  iterationsUsed: count.describe('Number of versions that were evaluated.'),
  convergenceReason: convergenceReason.describe('Why the loop ended.'),
  settled: optional(
    z.literal(true),
    'With the reason `plateau`: the last version failed for nothing but minor issues (`convergence.endsWith`).',
  ),
  failure: optional(
    z.object({ type: z.string().describe('Type of the failure.'), message: z.string().describe('What went wrong.') }),
    'With the reason `error`: the step that failed for good.',
  ),
  needs: optional(
    z.array(need),
    'With the reason `blocked`: what a person has to do; left out if no judge could judge.',
  ),
  tokenUsage: tokenUsage.describe('Tokens and cost of the whole run.'),
  executionTime: z.number().min(0).describe('Milliseconds from the start to the end, waiting included.'),
  flags: z.array(resultFlag).describe('Signs that the judge is too strict or too lenient.'),
  report: report.describe('What the iterations achieved: computed from the versions, without a model.'),
});

/** The result of a loop. `Output`: the type of the outputs, if the client was given a schema for them. */
export interface ReflectionResult<Output = Json> extends Omit<Infer<typeof result>, 'finalOutput' | 'bestOutput'> {
  /** The returned output: that of the accepted version, of the passing one, or of the one that `onFailure` names. Null before a draft. */
  finalOutput: Output | null;
  /** The output of the best version. Null before a draft, or if it does not fit beside the final output. */
  bestOutput: Output | null;
}

export const phase = z.enum(['preparing', 'generating', 'evaluating', 'revising', 'waiting', 'remembering', 'done']);
export type Phase = z.infer<typeof phase>;

export const progress = z.object({
  phase: phase.describe('What the loop is doing.'),
  iteration: count.describe(
    'Number of the latest output; 0 before the draft. Commands that name an iteration name this one.',
  ),
  maxIterations: count.describe('Maximum number of versions, including those that `extend` added.'),
  scores: z.array(score).describe('Scores of the versions, 0 to 1, in order; null if inconclusive.'),
  best: z
    .object({
      iteration: iteration.describe('From 1.'),
      score: score.describe('0 to 1; null when inconclusive.'),
      outcome: outcome.describe('Its outcome.'),
    })
    .nullable()
    .describe('The best version so far; null before one was judged.'),
  tokenUsage: tokenUsage.describe('Tokens and cost of the run so far.'),
  waitingFor: optional(waitingFor, 'Present while the run waits for a person.'),
  accepted: optional(iteration, 'The version that a person accepted; absent until then.'),
  rules: optional(z.string(), 'The rules by which the run decides: the release that last changed them.'),
  retrying,
  convergenceReason: optional(convergenceReason, 'Why the loop ended; absent until then.'),
});

/** The progress of a run: the answer to the `progress` query and to every update. */
export interface Progress extends Infer<typeof progress> {}

export const historyPage = z.object({
  versions: z.array(version).describe('Versions, in order.'),
  pending: optional(
    z.object({ iteration: iteration.describe('Its iteration.'), output: json.describe('What was written.') }),
    'The output that is not judged yet, if the question asked for it with `pending`.',
  ),
  next: optional(iteration, 'The `from` of the next page; absent on the last one.'),
});

/** One page of a run's versions: the answer to the query `history`. */
export interface HistoryPage extends Infer<typeof historyPage> {}

/** The state that a loop leaves to later steps of a pipeline; keys of an object output are added beside these. */
export const reflectionState = z.looseObject({
  success: z.boolean().describe('Whether the loop succeeded.'),
  valid: z.boolean().describe('Whether the returned version passed.'),
  exhausted: z.boolean().describe('Whether the loop ended without success.'),
  reflection_iteration: count.describe('Number of versions that were evaluated.'),
  reflection_output: json.describe('The returned output.'),
  reflection_errors: attemptErrors.describe('What is wrong with it.'),
  reflection_history: z.array(historyEntry).describe('Summary of every version.'),
  reflection_best: json.describe('The output of the best version.'),
  reflection_best_score: score.describe('Its score, 0 to 1; null when inconclusive.'),
});

export const correctionResult = z.object({
  output: json.describe('The corrected data.'),
  tokenUsage: tokenUsage.describe('Tokens and cost.'),
});

/** The result of `reflectionCorrect`. */
export interface CorrectionResult extends Infer<typeof correctionResult> {}
