import { z } from 'zod';
import type { Infer } from '../../lib/contract/infer';
import { count, json, optional } from '../../lib/contract/values';

// Results of runs. They may gain fields, so none of these shapes refuses a field that it does not know.

const personalDecision = z.object({
  decision: z
    .enum(['answered', 'approved', 'changed', 'refused', 'unanswered'])
    .describe(
      '`answered`: a person answered the question. `approved`, `changed`, `refused`: a person decided about the call; if `changed`, it was made with other arguments. `unanswered`: no answer in time.',
    ),
  by: optional(z.string(), 'The sender, as stated in the command; not verified.'),
  at: z.iso.datetime().describe('When it was decided, ISO 8601.'),
  reason: optional(z.string(), 'The reason that the person gave.'),
  proposed: optional(json, 'If `changed`: the arguments as the model wrote them. Long texts in them are shortened.'),
});

export interface PersonalDecision extends Infer<typeof personalDecision> {}

export const callRecord = z.object({
  name: z.string().describe('Name of the action, the tool, the command or the workflow that was called.'),
  arguments: optional(
    json,
    'Arguments of the call; a text if the model wrote no JSON. Long texts in them are shortened. Absent where they are not known, and of old calls that left no room.',
  ),
  result: optional(
    z.string(),
    'Result as the caller got it, as text: whole up to 4 KiB, otherwise its beginning and its end. Absent if it is the output itself, and of old calls that left no room.',
  ),
  resultBytes: optional(count, 'Size in bytes of a result that is not whole here.'),
  evaluator: optional(z.string(), 'Name of the evaluator whose judge made the call; only in evaluations.'),
  outcome: z
    .enum(['ok', 'error', 'not_made'])
    .describe(
      '`error`: the call failed, or its result was invalid. `not_made`: the action was not called, as its arguments were invalid, or no person approved it; it counts for no rule about calls.',
    ),
  source: z
    .enum(['recorded', 'reported'])
    .describe(
      '`recorded`: this run made the call, so its history proves it. `reported`: an agent says that it was made.',
    ),
  startedAt: optional(
    z.iso.datetime(),
    'When the last attempt began, ISO 8601, by the clock of the worker that made it.',
  ),
  endedAt: optional(z.iso.datetime(), 'When it ended, ISO 8601.'),
  attempt: optional(z.int().min(1), 'Number of the attempt that ended it.'),
  person: optional(
    personalDecision,
    'Who answered, if the call is a question (`ask_person`), or who decided about it, if it needed approval.',
  ),
  altered: optional(
    z.array(z.enum(['arguments', 'result'])),
    'The parts that are not here as they were: shortened, or with secrets hidden.',
  ),
  checks: optional(
    z.record(z.string(), z.boolean()),
    'Whether the arguments and the result fitted the JSON Schemas of rules about calls: checked where the call was made, before anything was altered.',
  ),
  digests: optional(
    z.record(z.string(), z.string()),
    'SHA-256 of texts of the arguments that were shortened, without white space around them, by JSON Pointer.',
  ),
});

/** A call that was made on the way to an output or to a verdict. */
export interface CallRecord extends Infer<typeof callRecord> {}

export const callsOmitted = optional(count, 'Number of older calls that are left out because they left no room.');

/** The calls of a version. */
export interface KeptCalls {
  calls?: CallRecord[];
  callsOmitted?: number;
}
