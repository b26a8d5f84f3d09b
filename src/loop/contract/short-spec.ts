import { z } from 'zod';
import { SENTENCE_CHARACTERS } from '../../lib/base/maxima';
import type { Infer } from '../../lib/contract/infer';
import { addJsonSchemaHints } from '../../lib/contract/json-schema-hints';
import { optional } from '../../lib/contract/values';
import { SENTENCE, TYPE_OF_KEY, type TypeKey } from '../base/short-forms';
import { KNOWN_CRITERIA } from '../spec/criteria-sets';
import { type Evaluator, evaluator, EVALUATOR_SHAPES } from './evaluators';
import { loopSpec } from './spec';
import { step } from './steps';

/** An evaluator that has a key, and the type that the key gives it. */
type WithKey<Key extends TypeKey, Typed = Extract<Evaluator, { type: (typeof TYPE_OF_KEY)[Key] }>> = Omit<
  Typed,
  'type'
> & { type?: undefined } & Required<Pick<Typed, Key & keyof Typed>>;

/** An evaluator without `type`: one of its keys gives it one. */
export type UntypedEvaluator = { [Key in TypeKey]: WithKey<Key> }[TypeKey];

/** An evaluator in its short form: a sentence that must hold, the name of a criterion, or an evaluator with or without `type`. */
export type ShortEvaluator = string | Evaluator | UntypedEvaluator;

function untypedForm(key: TypeKey): z.ZodType {
  const typed: z.ZodObject = EVALUATOR_SHAPES[TYPE_OF_KEY[key]];
  const { type: _type, [key]: field, ...others } = typed.shape;
  const known = field instanceof z.ZodOptional ? z.nonoptional(field) : field!;
  return z.strictObject({ [key]: known, ...others }).describe(typed.description ?? '');
}

const sentence = z
  .string()
  .max(SENTENCE_CHARACTERS)
  .regex(SENTENCE)
  .describe('A sentence about the output; a judge is asked whether it holds.');
const criterionOfSets = z.enum(KNOWN_CRITERIA).describe('Name of a criterion of the default sets.');

const shortEvaluator = z.custom<ShortEvaluator>();
addJsonSchemaHints(shortEvaluator, {
  forms: () => [criterionOfSets, sentence, evaluator, ...(Object.keys(TYPE_OF_KEY) as TypeKey[]).map(untypedForm)],
});

const shortEvaluators = z.custom<ShortEvaluator | ShortEvaluator[]>();
addJsonSchemaHints(shortEvaluators, { forms: () => [shortEvaluator, z.array(shortEvaluator).min(1)] });

export const shortSpec = loopSpec.extend({
  generator: optional(
    step,
    'The step that writes the draft. Default: a model call with the task, and with the values of `state` between markers.',
  ),
  evaluator: shortEvaluators.describe(
    'One evaluator or several; a text is a sentence about the output, or the name of a criterion. If one fails, the version fails.',
  ),
});
addJsonSchemaHints(shortSpec, { also: { anyOf: [{ required: ['generator'] }, { required: ['task'] }] } });

/**
 * The JSON that describes a loop, in its short or its long form. Without `generator` a model is asked to do the `task`. Evaluators
 * may be sentences, and need no `type` where one of their keys gives it.
 */
export interface ReflectionSpecInput extends Infer<typeof shortSpec> {}
