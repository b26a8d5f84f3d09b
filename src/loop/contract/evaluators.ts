import { z } from 'zod';
import { JUDGE_SET_NAMES, TASK_TYPES } from '../base/choices';
import { EVALUATOR_DEFAULTS, JUDGE_TOOL_ROUNDS } from '../base/defaults';
import { PATTERN_CHARACTERS, SENTENCE_CHARACTERS } from '../../lib/base/maxima';
import { HIGHEST_WEIGHT, MOST_EVALUATORS, MOST_EXAMPLES, MOST_TOOLS } from '../base/maxima';
import { attachments } from '../../lib/contract/attachments';
import { criterionList, criterionOf } from './criteria';
import type { Infer } from '../../lib/contract/infer';
import { jsonSchema } from '../../lib/contract/json-schema-value';
import { callsFields } from './required-calls';
import { calledWorkflow, language, temperature as samplingTemperature, toolRounds } from './steps';
import { OWN_WORDS } from '../../lib/contract/issue-sentence';
import { foreignSchemaProblem } from '../../lib/contract/foreign-schema';
import { duration, json, nameText, optional, pickedForm } from '../../lib/contract/values';

const common = {
  name: optional(nameText, 'Shown in results and on the page of the run. Default: the type.'),
  weight: optional(
    z.number().min(0).max(HIGHEST_WEIGHT),
    'Weight in the mean of the scores. With 0 its verdict counts for the outcome only; if all that judged have 0, all count alike.',
    EVALUATOR_DEFAULTS.weight,
  ),
  gate: optional(
    z.boolean(),
    'Whether its failure ends the evaluation at once, so that evaluators after it are not run.',
    EVALUATOR_DEFAULTS.gate,
  ),
};

const model = optional(
  nameText,
  "Model of the judge. Default: the spec's `judge.model`, `reflectionModel` or `model`.",
);

const temperature = optional(
  samplingTemperature,
  'Sampling temperature of the judge, 0 to 2. Default: `judge.temperature` of the spec.',
);

const shown = optional(
  attachments,
  'Pictures and files that the judge sees. Default: those of the generator, unless `judge.showInputs` is false. `[]`: none.',
);

const looking = {
  tools: optional(
    z.array(nameText).max(MOST_TOOLS),
    'Names of actions with `readOnly: true` that the judge may call before it judges, to check what the output states. Default: none.',
  ),
  maxToolRounds: optional(
    toolRounds,
    'Maximum number of model calls of the judge if it has tools. In the last one it must not call any tool.',
    JUDGE_TOOL_ROUNDS,
  ),
};

const example = z.strictObject({
  input: json.describe('The output to judge.'),
  output: json.describe('The correct judgement of it.'),
});

const taskType = z.enum(TASK_TYPES);
export type TaskType = z.infer<typeof taskType>;

const judgeSetName = z.enum(JUDGE_SET_NAMES);
export type JudgeSetName = z.infer<typeof judgeSetName>;

/** The form of a criterion: the settings that it gives its evaluator have the form of that evaluator's kind. */
export const criterion = criterionOf(
  (type, config) => formOf(type, config),
  (type) => EVALUATOR_SHAPES[type],
);

/** Every kind of evaluator. A new kind is one entry here and one file in `evaluators/`. */
export const EVALUATOR_SHAPES = {
  schema: z
    .strictObject({
      ...common,
      type: z.literal('schema'),
      schema: jsonSchema.describe(
        'The JSON Schema that the output must match. At most 20,000 keywords and names, 512 KiB, and half a second to compile.',
      ),
      coerce: optional(
        z.boolean(),
        'Whether texts are converted to integers, numbers and booleans where the schema requires these.',
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
        "Prompt of the judge; a template. Default: the spec's `reflectionPrompt`, or the built-in prompt.",
      ),
      attachments: shown,
      model,
      temperature,
      examples: optional(z.array(example).max(MOST_EXAMPLES), 'Examples that the judge is shown.'),
      ...looking,
    })
    .describe('A model judges the output.'),
  regex: z
    .strictObject({
      ...common,
      type: z.literal('regex'),
      pattern: z.string().min(1).max(PATTERN_CHARACTERS).describe('The pattern, in RE2 syntax.'),
      flags: optional(
        z.string().max(20),
        'Any of `i` (ignore case), `m` (`^` and `$` match at line boundaries), `s` (`.` also matches line ends).',
      ),
      mustMatch: optional(z.boolean(), 'False: the output must not match the pattern.', true),
      message: optional(
        z.string().min(1).max(SENTENCE_CHARACTERS),
        'Message of the issue. Default: a text made from the pattern.',
      ),
    })
    .describe("Searches the output's text for a pattern, in linear time for every pattern."),
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
        'URL of the service, which gets a POST of `{ output, task?, state }`. Give either this or `command`.',
      ),
      command: optional(
        nameText,
        'Name of a command that is registered on the worker, which gets the same data on its standard input.',
      ),
      timeout: optional(duration, 'Timeout of one attempt, at most `timeouts.step`.', '30s'),
    })
    .describe('A service, or a program that the worker registered, judges the output.'),
  criteria: z
    .strictObject({
      ...common,
      type: z.literal('criteria'),
      taskType: optional(
        taskType,
        'Kind of task, which selects the default criteria. Default: guessed from the words of the task.',
      ),
      set: optional(
        judgeSetName,
        'A ready-made set of criteria with its version. A version never changes. Instead of `taskType`.',
      ),
      criteria: optional(
        criterionList(criterion),
        'Names of criteria, or full criteria; names are unique. Default: all of the set, or those of the kind of task.',
      ),
      source: optional(
        z.string().min(1),
        'What the output must keep to, which the judge is shown as its source; a template, such as `{{ state.report }}`. Default: none, so the source is what the task says.',
      ),
      attachments: shown,
      model,
      temperature,
      ...looking,
    })
    .describe(
      'Judges the output by criteria. It passes if the weighted mean reaches the threshold, and each criterion reaches its own threshold.',
    ),
  comparison: z
    .strictObject({
      ...common,
      type: z.literal('comparison'),
      against: z
        .enum(['reference', 'prior'])
        .describe('`prior`: the version from which this one was revised. A draft has none, and is not judged.'),
      reference: optional(json, 'The value with which the output is compared, for `against: reference`.'),
      method: optional(
        z.enum(['llm', 'exact', 'similarity']),
        '`llm`: a judge says which one is better, and is asked twice with the positions swapped.',
        'llm',
      ),
      attachments: shown,
      temperature,
    })
    .describe('Compares the output with another one.'),
  custom: z
    .strictObject({
      ...common,
      type: z.literal('custom'),
      run: z.string().min(1).describe('The code, which returns its verdict or leaves it in `result`.'),
      language,
    })
    .describe('Inline code judges the output.'),
  workflow: z
    .strictObject({ ...common, type: z.literal('workflow'), ...calledWorkflow })
    .describe('A child workflow judges the output. It returns what an `evaluate` function of `reflect()` does.'),
  calls: z
    .strictObject({ ...common, type: z.literal('calls'), ...callsFields })
    .describe(
      'Checks which calls were made on the way to the output, by the records of them. At least one rule is required.',
    ),
};

export type EvaluatorType = keyof typeof EVALUATOR_SHAPES;
type EvaluatorOf<Type extends EvaluatorType> = Infer<(typeof EVALUATOR_SHAPES)[Type]>;

export interface SchemaEvaluator extends EvaluatorOf<'schema'> {}
export interface LlmEvaluator extends EvaluatorOf<'llm'> {}
export interface RegexEvaluator extends EvaluatorOf<'regex'> {}
export interface FunctionEvaluator extends EvaluatorOf<'function'> {}
export interface ExternalEvaluator extends EvaluatorOf<'external'> {}
export interface CriteriaEvaluator extends EvaluatorOf<'criteria'> {}
export interface ComparisonEvaluator extends EvaluatorOf<'comparison'> {}
export interface CustomEvaluator extends EvaluatorOf<'custom'> {}
export interface WorkflowEvaluator extends EvaluatorOf<'workflow'> {}
export interface CallsEvaluator extends EvaluatorOf<'calls'> {}

/** An evaluator of an output, of any type. */
export type Evaluator = { [Type in EvaluatorType]: EvaluatorOf<Type> }[EvaluatorType];

function formOf(type: string, config: object): z.ZodSafeParseResult<unknown> | undefined {
  return Object.hasOwn(EVALUATOR_SHAPES, type)
    ? EVALUATOR_SHAPES[type as EvaluatorType].safeParse({ ...config, type }, OWN_WORDS)
    : undefined;
}

export function evaluatorTypes(): string[] {
  return Object.keys(EVALUATOR_SHAPES);
}

export const evaluator = pickedForm<Evaluator>(
  () => Object.values(EVALUATOR_SHAPES),
  (value) => {
    const foreign = foreignSchemaProblem(value);
    if (foreign !== undefined) return { message: foreign };
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type === 'string' && Object.hasOwn(EVALUATOR_SHAPES, type))
      return EVALUATOR_SHAPES[type as EvaluatorType];
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
