import { z } from 'zod';
import { REVISION_METHODS } from '../base/choices';
import {
  CONVERGENCE_DEFAULTS,
  QUESTION_DEFAULTS,
  REVIEW_DEFAULTS,
  REVISION_DEFAULTS,
  TIMEOUT_DEFAULTS,
} from '../base/defaults';
import { MOST_TOKENS } from '../../lib/base/maxima';
import {
  DEFAULT_ANSWER_CHARACTERS,
  MOST_COUNTED,
  MOST_MODEL_CALLS,
  MOST_QUESTIONS,
  MOST_REPLY_TOKENS,
  MOST_TOOLS,
  MOST_USD,
} from '../base/maxima';
import type { Infer } from '../../lib/contract/infer';
import { hook } from './steps';
import { duration, nameText, optional, share } from '../../lib/contract/values';

export const failurePolicy = z.enum(['return_best', 'return_last', 'raise']);
export type FailurePolicy = z.infer<typeof failurePolicy>;

export const bestVersionSelection = z.enum(['highest_score', 'latest', 'first_satisfactory', 'weighted_recency']);
export type BestVersionSelection = z.infer<typeof bestVersionSelection>;

export const revisionStrategy = z.enum([...REVISION_METHODS, 'hybrid']);
export type RevisionStrategy = z.infer<typeof revisionStrategy>;

export type RevisionMethod = (typeof REVISION_METHODS)[number];

export const revision = z.strictObject({
  strategy: optional(
    revisionStrategy,
    '`targeted_edit`: edits; everything else stays unchanged. `incremental`: the whole output, changed as ' +
      'little as possible. `full_rewrite`: the whole output anew. `resample`: a new draft, whose prompt says what was wrong with the last. ' +
      '`hybrid`: one of these, chosen for each revision.',
    REVISION_DEFAULTS.strategy,
  ),
  includePriorVersions: optional(
    z.boolean(),
    'Whether the prompt shows the outputs of earlier versions.',
    REVISION_DEFAULTS.includePriorVersions,
  ),
  includeReflectionHistory: optional(
    z.boolean(),
    'Whether the prompt contains a summary of earlier attempts and their results.',
    REVISION_DEFAULTS.includeReflectionHistory,
  ),
  maxRevisionTokens: optional(
    z.int().min(1).max(MOST_REPLY_TOKENS),
    "Maximum output tokens of one revision. Default: the step's own limit.",
  ),
});

/** The settings of the built-in revision. A corrector replaces it. */
export interface RevisionSpec extends Infer<typeof revision> {}

export const convergence = z.strictObject({
  plateauIterations: optional(
    z.int().min(1).max(MOST_COUNTED),
    'Number of iterations without a better best version, or of successive gains that are too small, after which the loop ends.',
    CONVERGENCE_DEFAULTS.plateauIterations,
  ),
  improvementThreshold: optional(
    share,
    'Minimum gain of the score, 0 to 1, that is worth another iteration.',
    CONVERGENCE_DEFAULTS.improvementThreshold,
  ),
  detectOscillation: optional(
    z.boolean(),
    'Whether the loop ends if scores go up and down over at least 4 versions without progress.',
    CONVERGENCE_DEFAULTS.detectOscillation,
  ),
  stabilityThreshold: optional(
    share,
    'Similarity, 0 to 1, from which two texts count as the same: a text that no longer changes and still fails ends the loop.',
    CONVERGENCE_DEFAULTS.stabilityThreshold,
  ),
  repeatedIssues: optional(
    z.int().min(1).max(MOST_COUNTED),
    'Number of revisions that may fail to fix the same issues before the loop ends.',
    CONVERGENCE_DEFAULTS.repeatedIssues,
  ),
  endsWith: optional(
    z.literal('minor'),
    'With `minor`, a version that failed for nothing but issues of the severity `minor` ends the loop as `plateau`, with `settled` in the result. ' +
      'It does not pass. An issue without a severity counts as major. Default: such a version is revised.',
  ),
});

/** The conditions under which a loop that is not satisfied gives up before its limits. */
export interface ConvergenceSpec extends Infer<typeof convergence> {}

export const budget = z.strictObject({
  tokens: optional(
    z.int().min(0).max(MOST_TOKENS),
    'Maximum number of prompt and completion tokens of all calls, judges included. Default: no limit.',
  ),
  usd: optional(
    z.number().min(0).max(MOST_USD),
    "Maximum of US dollars, by the prices of the worker's models; every model of the spec must have one. Default: no limit.",
  ),
  modelCalls: optional(
    z.int().min(0).max(MOST_MODEL_CALLS),
    'Maximum number of answered model calls, judges included. Default: no limit.',
  ),
  wallClock: optional(
    duration,
    'Maximum time from the start of the run, waiting included. A call in flight is cancelled. Default: no limit.',
  ),
  announce: optional(
    z.boolean(),
    'Whether a line at the end of the prompts of author and judges says that a version is the last (`maxIterations`), or may be, because ' +
      'tokens, dollars or calls are left for less than two rounds like those before.',
    false,
  ),
});

/** The budget of a run, checked before each model call: the loop ends when one of these is spent. */
export interface BudgetSpec extends Infer<typeof budget> {}

export const triggers = z.strictObject({
  reflectionInterval: optional(
    z.int().min(1).max(MOST_COUNTED),
    'Number of turns of a model with tools after which the work so far is evaluated. Default: never.',
  ),
  reflectOnError: optional(
    z.boolean(),
    'Whether the work so far is evaluated when a tool fails, and a step that failed without retry is told why and run once more.',
    false,
  ),
  reflectOnTools: optional(
    z.array(nameText).max(MOST_TOOLS),
    'Names of tools; after their results the work so far is evaluated. Default: none.',
  ),
  qualityDropThreshold: optional(
    share,
    'A version whose score fell by more than this, 0 to 1, is judged once more if a model is the judge. Default: never.',
  ),
});

/**
 * The occasions on which unfinished work of a step is evaluated, beside every finished version. The step gets the issues in
 * its next call; such evaluations do not count towards `maxIterations`. A setting switches its trigger on.
 */
export interface TriggersSpec extends Infer<typeof triggers> {}

export const review = z.strictObject({
  when: optional(
    z.enum(['never', 'on_exhausted', 'on_satisfactory', 'every_iteration']),
    'When the loop waits for a person: before it ends without success, before it ends with success, or after each iteration.',
    REVIEW_DEFAULTS.when,
  ),
  timeout: optional(
    duration,
    'How long it waits, at most ten years. Has no effect without `when`.',
    REVIEW_DEFAULTS.timeout,
  ),
  onTimeout: optional(
    z.enum(['accept', 'stop', 'fail']),
    'What happens if nobody answers: `accept` the best version, `stop` for the reason that the loop had, or `fail` the run.',
    REVIEW_DEFAULTS.onTimeout,
  ),
});

export interface ReviewSpec extends Infer<typeof review> {}
export type ReviewOccasion = NonNullable<ReviewSpec['when']>;
export type UnansweredReview = NonNullable<ReviewSpec['onTimeout']>;

export const questions = z.strictObject({
  most: optional(
    z.int().min(1).max(MOST_QUESTIONS),
    'Maximum number of questions that the steps of a run ask by the tool `ask_person`.',
    QUESTION_DEFAULTS.most,
  ),
  timeout: optional(
    duration,
    'How long the loop waits for the answer to a question, and for the approval of a call; at most ten years.',
    QUESTION_DEFAULTS.timeout,
  ),
  defaultAnswer: optional(
    z.string().min(1).max(DEFAULT_ANSWER_CHARACTERS),
    'The answer to a question that has none in time. Default: the model learns that there is none. A call that is not approved in time is not made.',
  ),
});

export interface QuestionsSpec extends Infer<typeof questions> {}

export const hooks = z.strictObject({
  onGeneration: optional(hook, 'Called after each output of the generator, before it is evaluated.'),
  onReflection: optional(hook, 'Called after each evaluation. May return `continue`, `stop`, `auto` or nothing.'),
  onRevision: optional(hook, 'Called after each output of the corrector or of the built-in revision.'),
  onWaiting: optional(
    hook,
    'Called when the loop begins to wait for the review of a version. The wait does not depend on it.',
  ),
});

export const timeouts = z.strictObject({
  modelCall: optional(duration, 'Timeout of one attempt of a model call.', TIMEOUT_DEFAULTS.modelCall),
  step: optional(duration, 'Timeout of one attempt of any other step.', TIMEOUT_DEFAULTS.step),
  retryFor: optional(
    duration,
    'How long a call with retryable failures is retried, counted from the first failure.',
    TIMEOUT_DEFAULTS.retryFor,
  ),
});
