import { z } from 'zod';
import { MOST_ERRORS } from '../base/maxima';
import { BLOCKER, blocker } from './blockers';
import { evaluators } from './evaluator-list';
import type { Infer } from '../../lib/contract/infer';
import { timeouts } from './loop-options';
import { corrector } from './steps';
import { json, jsonObject, optional, stateKeys } from '../../lib/contract/values';

/** The fields of both requests, beside the data and the evaluator or corrector. */
export const requestCommon = {
  state: optional(
    jsonObject,
    'State for templates and actions. `state.model`, or else `state.llm_model`, is the model of calls that name none.',
    {},
  ),
  material: optional(
    stateKeys,
    'Keys of `state` whose texts are not from the author: in prompts they stand between markers, as the data does. `*`: all. Default: none.',
  ),
  task: optional(z.string(), 'Shown to judges and corrector; may be a template.'),
  timeouts: optional(timeouts, 'How long one attempt of a call may take, and how long it is retried.'),
};

export const evaluationRequest = z.strictObject({
  data: optional(json, 'The value to evaluate. Default: `state.reflection_output`.'),
  ...requestCommon,
  evaluator: evaluators.describe('One evaluator or several.'),
});

/** The argument of `reflectionEvaluate`: one evaluation, without a loop around it. */
export interface EvaluationRequest extends Infer<typeof evaluationRequest> {}

export const correctionError = z.object({
  message: z.string().describe('What is wrong.'),
  path: optional(z.string(), 'JSON Pointer into the data.'),
  type: optional(z.string(), 'The keyword or rule that found it.'),
  suggestion: optional(z.string(), 'How it could be fixed.'),
  missingInformation: optional(z.literal(true), 'A needed fact is missing, so no revision can fix the issue.'),
  blocker: optional(blocker, BLOCKER),
  criterion: optional(z.string(), 'The criterion that is not met.'),
  severity: optional(z.enum(['minor', 'major', 'critical']), 'How bad it is.'),
  evaluator: optional(z.string(), 'Name of the evaluator that found it.'),
});

/** One problem of data to correct. An issue of an evaluation fits, too. */
export interface CorrectionError extends Infer<typeof correctionError> {}

const error: z.ZodType<string | CorrectionError> = z.union(
  // Errors may come from other tools and have more fields.
  [z.string(), correctionError.loose()],
  'must be a text, or an object with `message`, and with `path`, `type`, `suggestion` where known',
);

/** A list of errors. A loop of many evaluators may have left thousands in the state. */
export const errorList = z.array(error, 'must be a list of texts, or of objects with `message`').max(MOST_ERRORS);

export const correctionRequest = z.strictObject({
  data: optional(json, 'The value to correct. Default: `state.reflection_output`.'),
  ...requestCommon,
  corrector: corrector
    .superRefine(({ mode }, context) => {
      if (mode !== 'hint') return;
      const message = 'a hint is for a generator that runs again, and there is none here: leave `mode` out';
      context.addIssue({ code: 'custom', message, path: ['mode'] });
    })
    .describe(
      'The step that corrects. An `llm.call` without `prompt` and `messages` gets the built-in revision prompt.',
    ),
  errors: optional(
    errorList,
    'What is wrong with it; a text is short for an object with that `message`. Default: `state.reflection_errors`.',
  ),
});

/** The argument of `reflectionCorrect`: one correction, without a loop around it. */
export interface CorrectionRequest extends Infer<typeof correctionRequest> {}
