import { z } from 'zod';
import { isJson, isJsonObject, type JsonObject } from '../domain/base/json';
import { TASK_TYPES } from '../domain/base/choices';
import { EVALUATOR_DEFAULTS } from '../domain/base/defaults';
import {
  HIGHEST_WEIGHT,
  MOST_EVALUATORS,
  MOST_EXAMPLES,
  PATTERN_CHARACTERS,
  SENTENCE_CHARACTERS,
} from '../domain/base/maxima';
import { criterionList, criterionOf } from './criteria';
import type { Infer } from './infer';
import { addJsonSchemaHints } from './json-schema-hints';
import { language } from './steps';
import { duration, json, nameText, optional, pickedForm } from './values';

const common = {
  name: optional(nameText, 'Shown in results and on the page of the run. Default: the type.'),
  weight: optional(
    z.number().min(0).max(HIGHEST_WEIGHT),
    'Weight in the mean of the scores. With 0 its verdict counts for the outcome only; where all that judged have 0, all count alike.',
    EVALUATOR_DEFAULTS.weight,
  ),
  gate: optional(
    z.boolean(),
    'Whether its fail decides at once: evaluators after it are not run.',
    EVALUATOR_DEFAULTS.gate,
  ),
};

const jsonSchema = z.custom<JsonObject | boolean>(
  (value) => typeof value === 'boolean' || (isJsonObject(value) && isJson(value)),
  'must be a JSON Schema: an object, not nested too deeply, or a boolean',
);
addJsonSchemaHints(jsonSchema, { json: { anyOf: [{ type: 'object' }, { type: 'boolean' }] } });

const model = optional(
  nameText,
  "Model that is asked. Default: the spec's `judge.model`, `reflectionModel` or `model`.",
);

const example = z.strictObject({
  input: json.describe('What is judged.'),
  output: json.describe('The judgement that is right for it.'),
});

const taskType = z.enum(TASK_TYPES);
export type TaskType = z.infer<typeof taskType>;

/** What a criterion tells its evaluator has the form of that evaluator's kind. */
export const criterion = criterionOf(
  (type, config) => formOf(type, config),
  (type) => EVALUATORS[type],
);

/** Every kind of evaluator. A new kind is one entry here and one file in `evaluators/`. */
export const EVALUATORS = {
  schema: z
    .strictObject({
      ...common,
      type: z.literal('schema'),
      schema: jsonSchema.describe('The JSON Schema that the output must fit.'),
      coerce: optional(
        z.boolean(),
        'Whether texts are read as the integers, numbers and booleans that are asked for.',
        true,
      ),
    })
    .describe('Checks the output against a JSON Schema.'),
  llm: z
    .strictObject({
      ...common,
      type: z.literal('llm'),
      prompt: optional(
        z.string().min(1),
        "What the judge is asked; a template. Default: the spec's `reflectionPrompt`, else a prompt of ours.",
      ),
      model,
      examples: optional(z.array(example).max(MOST_EXAMPLES), 'Examples that the judge is shown.'),
    })
    .describe('A model judges the output.'),
  regex: z
    .strictObject({
      ...common,
      type: z.literal('regex'),
      pattern: z.string().min(1).max(PATTERN_CHARACTERS).describe('The pattern, in RE2 syntax.'),
      flags: optional(
        z.string().max(20),
        'Any of `i` (ignore case), `m` (`^` and `$` match at lines), `s` (`.` matches line ends, too).',
      ),
      mustMatch: optional(z.boolean(), 'False: the output must not have what the pattern finds.', true),
      message: optional(
        z.string().min(1).max(SENTENCE_CHARACTERS),
        'What the issue says. Default: a text made of the pattern.',
      ),
    })
    .describe("Searches the output's text for a pattern, in linear time whatever the pattern."),
  function: z
    .strictObject({
      ...common,
      type: z.literal('function'),
      action: nameText.describe('Name of the action.'),
      with: optional(
        json,
        'Parameters of the action. Templates in it see the output as `state.reflection_output`. Default: `{ output }`.',
      ),
    })
    .describe(
      'An action that the worker registered judges the output. It returns a boolean, a number, `[boolean, string]` or an evaluation.',
    ),
  external: z
    .strictObject({
      ...common,
      type: z.literal('external'),
      url: optional(
        z.string().min(1).max(2_000),
        'Address of the service, which gets a POST of `{ output, task?, state }`. Either this or `command`.',
      ),
      command: optional(nameText, 'Name of a command of the worker, which gets the same on its standard input.'),
      timeout: optional(duration, 'Time of one attempt, never more than `timeouts.step`.', '30s'),
    })
    .describe('A service, or a program that the worker registered, judges the output.'),
  criteria: z
    .strictObject({
      ...common,
      type: z.literal('criteria'),
      taskType: optional(taskType, 'Whose default criteria are meant. Default: guessed by the words of the task.'),
      criteria: optional(
        criterionList(criterion),
        'Names of criteria, or criteria in full; their names differ. Default: those of the kind of task.',
      ),
      model,
    })
    .describe(
      'Judges the output by criteria. It passes when the weighted mean reaches the threshold, and each criterion its own.',
    ),
  comparison: z
    .strictObject({
      ...common,
      type: z.literal('comparison'),
      against: z
        .enum(['reference', 'prior'])
        .describe('`prior`: the version that was revised into this one. A draft has none, and is not judged.'),
      reference: optional(json, 'What the output is compared with, for `against: reference`.'),
      method: optional(
        z.enum(['llm', 'exact', 'similarity']),
        '`llm`: a judge says which one is better, asked twice with the places swapped.',
        'llm',
      ),
    })
    .describe('Compares the output with another.'),
  custom: z
    .strictObject({
      ...common,
      type: z.literal('custom'),
      run: z.string().min(1).describe('The code, which returns its judgement or leaves it in `result`.'),
      language,
    })
    .describe('Inline code judges the output.'),
};

export type EvaluatorType = keyof typeof EVALUATORS;
type EvaluatorOf<Type extends EvaluatorType> = Infer<(typeof EVALUATORS)[Type]>;

export interface SchemaEvaluator extends EvaluatorOf<'schema'> {}
export interface LlmEvaluator extends EvaluatorOf<'llm'> {}
export interface RegexEvaluator extends EvaluatorOf<'regex'> {}
export interface FunctionEvaluator extends EvaluatorOf<'function'> {}
export interface ExternalEvaluator extends EvaluatorOf<'external'> {}
export interface CriteriaEvaluator extends EvaluatorOf<'criteria'> {}
export interface ComparisonEvaluator extends EvaluatorOf<'comparison'> {}
export interface CustomEvaluator extends EvaluatorOf<'custom'> {}

/** What judges an output. */
export type Evaluator = { [Type in EvaluatorType]: EvaluatorOf<Type> }[EvaluatorType];

/** Checks a configuration with the form of its type; undefined when there is no such type. */
function formOf(type: string, config: object): z.ZodSafeParseResult<unknown> | undefined {
  return Object.hasOwn(EVALUATORS, type) ? EVALUATORS[type as EvaluatorType].safeParse({ ...config, type }) : undefined;
}

/** The types that a spec may name. */
export function evaluatorTypes(): string[] {
  return Object.keys(EVALUATORS);
}

export const evaluator = pickedForm<Evaluator>(
  () => Object.values(EVALUATORS),
  (value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type === 'string' && Object.hasOwn(EVALUATORS, type)) return EVALUATORS[type as EvaluatorType];
    const types = evaluatorTypes().join(' or ');
    return typeof type === 'string'
      ? { message: `must be ${types}, and is ${JSON.stringify(type.slice(0, 40))}`, path: ['type'] }
      : { message: `must be an object with \`type\`: ${types}` };
  },
);

export const evaluatorList = z
  .array(evaluator)
  .min(1, 'must have at least one evaluator')
  .max(MOST_EVALUATORS, `must have at most ${MOST_EVALUATORS} evaluators`);
