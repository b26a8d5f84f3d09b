import { problem } from '../../lib/contract/spec-problem';
import { z } from 'zod';
import { attempt } from './evaluation';
import { optional, tokenUsage } from '../../lib/contract/values';

// The first detail of a failure, by its type. More details may follow it, such as the node of a pipeline that failed.

const NODE = 'The node of a pipeline that failed.';
const INDEX = 'The index of that node, from 0.';
const place = { node: optional(z.string(), NODE), index: optional(z.int().min(0), INDEX) };

const used = {
  tokenUsage: optional(tokenUsage, 'What the loop cost before it failed; absent: nothing that is known.'),
};

/** The detail of `InvalidSpec`, `UnknownAction` and `UnknownModel`: all problems. */
export const specFailure = z.array(problem).min(1);

/** The detail of `ReflectionFailedError`: every attempt. */
export const reflectionFailure = z.object({ history: z.array(attempt).describe('Every attempt.'), ...used, ...place });

/** The detail of `StepFailed`, `Model.…` and `OutputTooLarge`: the step that failed. */
export const stepFailure = z.union([
  z.object({
    step: z.string().describe('The step that failed.'),
    iteration: optional(z.int().min(1), 'The iteration that it was in, from 1.'),
    ...used,
    ...place,
  }),
  z.object({ node: z.string().describe(NODE), index: z.int().min(0).describe(INDEX) }),
]);

/** The detail of inline code that failed, after the step that it was, or was in. */
export const codeFailure = z.object({
  language: z.string().describe('The language of the code.'),
  line: z.int().min(1).nullable().describe('The line that failed, from 1; null where it is not known.'),
  ...place,
});
