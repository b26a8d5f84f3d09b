import { z } from 'zod';
import type { Infer } from '../../lib/contract/infer';
import { json, optional, share } from '../../lib/contract/values';
import { BLOCKER, blocker } from './blockers';
import { callRecord, callsOmitted } from './calls';

// Results of runs. They may gain fields, so none of these shapes refuses a field that it does not know.

/** A score, 0 to 1; null for none. */
export const score = share.nullable();

export const outcome = z.enum(['pass', 'fail', 'inconclusive']);
/** The outcome decides; the score only ranks. `inconclusive`: the evaluator could not judge. */
export type Outcome = z.infer<typeof outcome>;
const OUTCOME = 'The outcome, which decides; the score only ranks. `inconclusive`: it could not be judged.';

const severity = z.enum(['minor', 'major', 'critical']);
export type Severity = z.infer<typeof severity>;

export const issue = z.object({
  message: z.string().describe('What is wrong.'),
  path: optional(
    z.string(),
    'JSON Pointer into the output; empty for the output as a whole. Code that judges may name places in its own way.',
  ),
  criterion: optional(z.string(), 'The criterion that is not met.'),
  severity: optional(severity, 'How bad it is.'),
  suggestion: optional(z.string(), 'How it could be fixed.'),
  missingInformation: optional(
    z.literal(true),
    'A needed fact is in nothing that the judge was shown, so no revision can fix the issue: the blocker `information`.',
  ),
  blocker: optional(blocker, `${BLOCKER} \`missingInformation\` means \`information\`.`),
  type: optional(z.string(), 'The keyword or rule that found it, if any.'),
  evaluator: z.string().describe('Name of the evaluator that found it.'),
  identity: optional(
    z.string(),
    'Identifies the issue in all versions of a run, also where its message has another number or value; no two issues of a version share one. Absent from issues that workflow code found.',
  ),
});

/** One issue of an output. */
export interface Issue extends Infer<typeof issue> {}

export const evaluatorSummary = z.object({
  name: z.string().describe('Name of the evaluator; its type if it has none.'),
  type: z.string().describe('Type of the evaluator, such as `schema`.'),
  outcome: outcome.describe(OUTCOME),
  score: score.describe('0 to 1; null when inconclusive.'),
  checksPassed: optional(share, 'Share of its checks that passed, 0 to 1; ranks failed versions.'),
  coverage: optional(
    share,
    'Share of the questions of a `criteria` evaluator that its judge answered, 0 to 1. An answer may be unclear.',
  ),
  ms: z.number().min(0).describe('Milliseconds that it took.'),
});

/** The verdict of one evaluator in short, as results and pages show it. */
export interface EvaluatorSummary extends Infer<typeof evaluatorSummary> {}

export const unreadReply = z.object({
  evaluator: z.string().describe('Name of the evaluator.'),
  reply: z.string().describe('The reply of the model; a very long one is truncated.'),
  problem: z.string().describe('Why it could not be read.'),
  repaired: z
    .boolean()
    .describe('True: a repair call gave a readable verdict, which counts. False: there is no verdict.'),
});

export interface UnreadReply extends Infer<typeof unreadReply> {}

export const proofOutcome = z.object({
  criterion: z.string().describe('Name of the criterion.'),
  claim: optional(z.string(), 'Description of the criterion.'),
  record: optional(z.string(), 'The call that proves it, as a line; absent if there is none, so that it is unproven.'),
});

/** A criterion with a proof, and the call that proves it. */
export interface ProofOutcome extends Infer<typeof proofOutcome> {}

export const evaluation = z.object({
  outcome: outcome.describe(OUTCOME),
  satisfactory: z.boolean().describe('True if the outcome is `pass`.'),
  overallScore: score.describe('Weighted mean of the scores, 0 to 1; null when inconclusive.'),
  criteriaScores: z.record(z.string(), z.number()).describe('Scores of criteria, 0 to 1, by their names.'),
  issues: z.array(issue).describe('What is wrong.'),
  suggestions: z.array(z.string()).describe('What could be better.'),
  confidence: share.describe('How sure the evaluators are, 0 to 1.'),
  reason: optional(z.string(), 'Reason for the outcome.'),
  evaluators: z.array(evaluatorSummary).describe('Summary of each verdict.'),
  calls: optional(
    z.array(callRecord),
    'Calls of the tools of judges, in the order of the evaluators; 16 KiB at most, of which the oldest results are shortened first. Absent if there are none.',
  ),
  callsOmitted,
  proofs: optional(
    z.array(proofOutcome),
    'Criteria that a call has to prove, each with the call that does; absent if there are none.',
  ),
  unreadReplies: optional(
    z.array(unreadReply),
    'Replies of judges that could not be read at first; only in evaluations without a loop, and absent if there are none.',
  ),
});

/** The judgement of one version by all its evaluators. */
export interface ReflectionEvaluation extends Infer<typeof evaluation> {}

export const attemptErrors = z.array(
  z.object({
    message: z.string().describe('What is wrong.'),
    path: optional(z.string(), 'JSON Pointer into the output, or what code named the place.'),
    type: optional(z.string(), 'The keyword or rule that found it, or what code called its kind.'),
    suggestion: optional(z.string(), 'How it could be fixed.'),
  }),
);

export const attempt = z.object({
  iteration: z.int().min(1).describe('From 1.'),
  output: json.describe('The output.'),
  score: score.describe('0 to 1; null when inconclusive.'),
  valid: z.boolean().describe('Whether it passed.'),
  errors: attemptErrors.describe('What is wrong with it.'),
});

/** One attempt, as the history of a `ReflectionFailedError` and of templates shows it. */
export interface AttemptSummary extends Infer<typeof attempt> {}

export const historyEntry = attempt.extend({
  evaluation: evaluation
    .extend({
      score: score.describe('0 to 1; null when inconclusive.'),
      valid: z.boolean().describe('Whether it passed.'),
      errors: attemptErrors.describe('What is wrong with it.'),
      reason: z.string().describe('Reason for the outcome; empty if the evaluators gave none.'),
    })
    .describe('Its evaluation.'),
});

/** A version as `reflection_history` shows it. */
export interface HistoryEntry extends Infer<typeof historyEntry> {}

export const evaluationState = z.object({
  valid: z.boolean().describe('Whether the data passed.'),
  score: score.describe('0 to 1; null when inconclusive.'),
  errors: attemptErrors.describe('What is wrong with it.'),
  suggestions: z.array(z.string()).describe('What could be better.'),
  reason: z.string().describe('Reason for the outcome; empty if the evaluators gave none.'),
  outcome: outcome.describe(OUTCOME),
});

/** The state that an evaluation leaves to later steps of a pipeline. */
export interface EvaluationState extends Infer<typeof evaluationState> {}
