import { z } from 'zod';
import type { Infer } from '../../lib/contract/infer';
import { jsonSchema } from '../../lib/contract/json-schema-value';
import { nameText, optional, pickedForm } from '../../lib/contract/values';
import { MOST_CALL_RULES, MOST_COUNTED } from '../base/maxima';

const conditions = {
  arguments: optional(jsonSchema, 'The JSON Schema that the arguments of the call match.'),
  result: optional(
    jsonSchema,
    'The JSON Schema that the result of the call matches: the JSON that its text is, otherwise the text. A result of more than ' +
      '4 KiB is not kept whole, and cannot be checked.',
  ),
};

const proofConditions = {
  ...conditions,
  covers: optional(
    z.string().regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as `/code`'),
    'JSON Pointer of the argument that must be the output: the same text, apart from white space around it, or the same JSON.',
  ),
  reported: optional(
    z.boolean(),
    'Whether a call counts, too, of which only an agent of others says that it was made.',
    false,
  ),
};

const after = optional(
  z.union(
    [
      z.boolean(),
      z.strictObject({ calls: optional(z.array(nameText).min(1).max(MOST_CALL_RULES), 'Names of these calls.') }),
    ],
    'must be true, false or an object with `calls`, a list of names',
  ),
  'Whether the call must be the last of some calls: none of `calls` follows it; without `calls`, none of any action without ' +
    '`readOnly`, other than those that `must` lists beside it.',
  false,
);

const names = {
  name: optional(nameText, 'Name of the call: an action, a tool, a command or a workflow.'),
  call: optional(nameText, 'The same as `name`, one of which is required.'),
};

const isNamed = ({ name, call }: { name?: string | undefined; call?: string | undefined }): boolean =>
  (name === undefined) !== (call === undefined);
const NAMED = 'must name the call, by `name` or by `call`';

const requiredCallForm = z.strictObject({ ...names, ...proofConditions }).refine(isNamed, NAMED);
const barredCallForm = z.strictObject({ ...names, ...conditions }).refine(isNamed, NAMED);

/** A call that must have been made. */
export interface RequiredCall extends Infer<typeof requiredCallForm> {}

/** A call that must not have been made. */
export interface BarredCall extends Infer<typeof barredCallForm> {}

function callList<T>(form: z.ZodType<T>) {
  const entry = pickedForm<string | T>(
    () => [nameText, form],
    (value) => (typeof value === 'string' ? nameText : form),
  );
  return z.array(entry).min(1, 'must have at least one call').max(MOST_CALL_RULES);
}

export const callsFields = {
  must: optional(
    callList<RequiredCall>(requiredCallForm),
    'Calls that must have been made, and have succeeded, in any order: names, or names with conditions.',
  ),
  after,
  mustNot: optional(
    callList<BarredCall>(barredCallForm),
    'Calls that must not have been made. Calls that failed and reported ones count; calls that were not made do not.',
  ),
  order: optional(
    z.array(nameText).min(1).max(MOST_CALL_RULES),
    'Names of calls that must have been made in this order, and have succeeded. Other calls may stand between them; reported ones do not count.',
  ),
  atMost: optional(
    z.record(nameText, z.int().min(0).max(MOST_COUNTED)),
    'Maximum number of calls, by name. Calls that failed and reported ones count; calls that were not made do not.',
  ),
};

export const proof = z.strictObject({ ...names, ...proofConditions, after }).refine(isNamed, NAMED);

export interface CallProof extends Infer<typeof proof> {}
