import { z } from 'zod';
import { isJson, isJsonObject, type JsonObject } from '../../domain/base/json';
import { COMPARISON_METHODS, type Evaluator, STEP_LANGUAGES, TASK_TYPES } from '../../domain/spec/spec';
import { partsOf, partTree } from '../../domain/spec/evaluator-parts';
import {
  HIGHEST_WEIGHT,
  MOST_EVALUATORS,
  MOST_EXAMPLES,
  MOST_PARTS,
  PATTERN_CHARACTERS,
  SENTENCE_CHARACTERS,
} from '../../domain/base/maxima';
import { criterionList, criterionOf } from './criteria';
import { addJsonSchemaHints } from '../json-schema-hints';
import { duration, json, nameText, passOn } from '../values';

const evaluatorCommon = {
  name: nameText.optional(),
  weight: z.number().min(0).max(HIGHEST_WEIGHT).optional(),
  gate: z.boolean().optional(),
};

const jsonSchema = z.custom<JsonObject | boolean>(
  (value) => typeof value === 'boolean' || (isJsonObject(value) && isJson(value)),
  'must be a JSON Schema: an object, not nested too deeply, or a boolean',
);
addJsonSchemaHints(jsonSchema, { json: { anyOf: [{ type: 'object' }, { type: 'boolean' }] } });

/** What a criterion tells its evaluator has the form of that evaluator's kind. */
export const criterion = criterionOf(
  (type, config) => formOf(type, config),
  (type) => formIn(type),
);

const EVALUATORS = {
  schema: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('schema'),
    schema: jsonSchema,
    coerce: z.boolean().optional(),
  }),
  llm: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('llm'),
    prompt: z.string().min(1).optional(),
    model: nameText.optional(),
    examples: z
      .array(z.strictObject({ input: json, output: json }))
      .max(MOST_EXAMPLES)
      .optional(),
  }),
  regex: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('regex'),
    pattern: z.string().min(1).max(PATTERN_CHARACTERS),
    flags: z.string().max(20).optional(),
    mustMatch: z.boolean().optional(),
    message: z.string().min(1).max(SENTENCE_CHARACTERS).optional(),
  }),
  function: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('function'),
    action: nameText,
    with: json.optional(),
  }),
  external: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('external'),
    url: z.string().min(1).max(2_000).optional(),
    command: nameText.optional(),
    timeout: duration.optional(),
  }),
  criteria: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('criteria'),
    taskType: z.enum(TASK_TYPES).optional(),
    criteria: criterionList(criterion).optional(),
    model: nameText.optional(),
  }),
  comparison: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('comparison'),
    against: z.enum(['reference', 'prior']),
    reference: json.optional(),
    method: z.enum(COMPARISON_METHODS).optional(),
  }),
  custom: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('custom'),
    run: z.string().min(1),
    language: z.enum(STEP_LANGUAGES).optional(),
  }),
} satisfies { [Type in Evaluator['type']]: z.ZodType<Extract<Evaluator, { type: Type }>> };

function formIn(type: Evaluator['type']): z.ZodObject {
  return EVALUATORS[type];
}

/** Checks a configuration with the form of its type; undefined when there is no such type yet. */
function formOf(type: string, config: object): z.ZodSafeParseResult<Evaluator> | undefined {
  return Object.hasOwn(EVALUATORS, type)
    ? EVALUATORS[type as Evaluator['type']].safeParse({ ...config, type })
    : undefined;
}

/** The types that a spec may name. */
export function evaluatorTypes(): string[] {
  return Object.keys(EVALUATORS);
}

export const evaluator = z.unknown().transform((value, context): Evaluator => {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type === 'string' && Object.hasOwn(EVALUATORS, type)) {
    return passOn<Evaluator>(EVALUATORS[type as Evaluator['type']].safeParse(value), context);
  }
  const types = evaluatorTypes().join(' or ');
  context.addIssue(
    typeof type === 'string'
      ? { code: 'custom', message: `must be ${types}, and is ${JSON.stringify(type.slice(0, 40))}`, path: ['type'] }
      : { code: 'custom', message: `must be an object with \`type\`: ${types}` },
  );
  return z.NEVER;
});

const evaluatorList = z
  .array(evaluator)
  .min(1, 'must have at least one evaluator')
  .max(MOST_EVALUATORS, `must have at most ${MOST_EVALUATORS} evaluators`);

/** Calls that one round of these evaluators makes. */
export function callsOf(evaluators: Evaluator | Evaluator[], votes = 1): number {
  return [evaluators].flat().reduce((sum, each) => sum + partsOf(partTree(each, votes)).length, 0);
}

/** What is wrong with so many calls; undefined: nothing. */
export function tooManyParts(calls: number): string | undefined {
  if (calls <= MOST_PARTS) return undefined;
  return `one evaluation would make ${calls} calls (evaluators, their parts, votes and orders); at most ${MOST_PARTS}`;
}

export const evaluators = z.unknown().transform((value, context): Evaluator | Evaluator[] => {
  const read = Array.isArray(value)
    ? passOn<Evaluator[]>(evaluatorList.safeParse(value), context)
    : passOn<Evaluator>(evaluator.safeParse(value), context);
  if (read === z.NEVER) return read;
  const message = tooManyParts(callsOf(read));
  if (message !== undefined) context.addIssue({ code: 'custom', message });
  return read;
});

addJsonSchemaHints(evaluator, { forms: () => Object.values(EVALUATORS) });
addJsonSchemaHints(evaluators, { forms: () => [evaluator, evaluatorList] });
