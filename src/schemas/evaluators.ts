import { z } from 'zod';
import { isJson, isJsonObject, type JsonObject } from '../domain/json';
import { COMPARISON_METHODS, type Evaluator, STEP_LANGUAGES, TASK_TYPES } from '../domain/spec';
import { criterionList, criterionOf } from './criteria';
import { describeForm } from './forms';
import { duration, json, passOn } from './values';

const evaluatorCommon = {
  name: z.string().min(1).optional(),
  weight: z.number().min(0).optional(),
  gate: z.boolean().optional(),
};

const jsonSchema = z.custom<JsonObject | boolean>(
  (value) => typeof value === 'boolean' || (isJsonObject(value) && isJson(value)),
  'must be a JSON Schema: an object, not nested too deeply, or a boolean',
);
describeForm(jsonSchema, { json: { anyOf: [{ type: 'object' }, { type: 'boolean' }] } });

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
    model: z.string().min(1).optional(),
    examples: z.array(z.strictObject({ input: json, output: json })).optional(),
  }),
  regex: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('regex'),
    pattern: z.string().min(1),
    flags: z.string().optional(),
    mustMatch: z.boolean().optional(),
    message: z.string().min(1).optional(),
  }),
  function: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('function'),
    action: z.string().min(1),
    with: json.optional(),
  }),
  external: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('external'),
    url: z.string().min(1).max(2_000).optional(),
    command: z.string().min(1).optional(),
    timeout: duration.optional(),
  }),
  criteria: z.strictObject({
    ...evaluatorCommon,
    type: z.literal('criteria'),
    taskType: z.enum(TASK_TYPES).optional(),
    criteria: criterionList(criterion).optional(),
    model: z.string().min(1).optional(),
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

export const evaluators = z.unknown().transform((value, context): Evaluator | Evaluator[] => {
  if (!Array.isArray(value)) return passOn(evaluator.safeParse(value), context);
  return passOn(z.array(evaluator).min(1, 'must have at least one evaluator').safeParse(value), context);
});

describeForm(evaluator, { forms: () => Object.values(EVALUATORS) });
describeForm(evaluators, { forms: () => [evaluator, z.array(evaluator).min(1)] });
