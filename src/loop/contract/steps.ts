import { STEP_LANGUAGES } from '../../lib/sandbox/languages';
import { z } from 'zod';
import { didYouMean } from '../../lib/names/nearest-name';
import { NAME_CHARACTERS } from '../../lib/base/maxima';
import { MOST_MESSAGES, MOST_REPLY_TOKENS, MOST_TOOLS } from '../base/maxima';
import { isJson, isJsonObject, type JsonObject } from '../../lib/json/json';
import { attachments } from '../../lib/contract/attachments';
import type { Infer } from '../../lib/contract/infer';
import { addJsonSchemaHints } from '../../lib/contract/json-schema-hints';
import { json, nameText, optional, pickedForm, protocolText, share } from '../../lib/contract/values';

/** The language of inline code, of steps and of evaluators. */
export const language = optional(z.enum(STEP_LANGUAGES), 'The language of the code.', 'python');

/** The temperature of a model call; a pipeline may set it for all of its nodes. */
export const temperature = z.number().min(0).max(2);
const MOST_STOPS = 16;
/** Model calls of a step, or of a judge, that has tools. */
export const toolRounds = z.int().min(1).max(100);
export const maxTokens = z.int().min(1).max(MOST_REPLY_TOKENS);

const replyForm = z.custom<JsonObject | false>(
  (value) => value === false || (isJsonObject(value) && isJson(value)),
  'must be a JSON Schema: an object, not nested too deeply; or false',
);
addJsonSchemaHints(replyForm, { json: { anyOf: [{ type: 'object' }, { const: false }] } });

const message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']).describe('Role of the author of the message.'),
  content: z.string().describe('Text of the message; a template over the state.'),
});

export const modelCallStep = z.strictObject({
  action: z.literal('llm.call').describe('Asks a language model.'),
  model: optional(nameText, "Name of the model. Default: the spec's `model`, else the default of the worker."),
  system: optional(z.string(), 'The system message; a template over the state.'),
  prompt: optional(
    z.string(),
    'The last user message; a template over the state. A task that no message mentions is added to it.',
  ),
  messages: optional(z.array(message).min(1).max(MOST_MESSAGES), 'Messages between `system` and `prompt`, in order.'),
  attachments: optional(
    attachments,
    'Pictures and files that the model sees before the last user message. Default: none; of a corrector: those of the generator.',
  ),
  temperature: optional(temperature, 'Sampling temperature, 0 to 2. Default: that of the model.'),
  maxTokens: optional(maxTokens, 'Maximum output tokens of one reply. Default: the limit of the model.'),
  topP: optional(share, 'Share of probability that tokens are taken from, 0 to 1. Default: that of the model.'),
  seed: optional(z.int().min(0).max(2_147_483_647), 'Number that makes replies repeatable, where the endpoint can.'),
  stop: optional(
    z.array(z.string().min(1).max(NAME_CHARACTERS)).min(1).max(MOST_STOPS),
    'Texts before which the reply ends.',
  ),
  reasoningEffort: optional(
    z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
    'How much the model thinks before it answers. Default: that of the model.',
  ),
  reply: optional(
    replyForm,
    'JSON Schema of the reply, which is sent as structured output or in words; a reply that is JSON becomes that value. ' +
      'Default: in a loop, the schema of the first `schema` evaluator, for the draft and each rewrite. `false`: none is sent.',
  ),
  extract: optional(
    z.enum(['code', 'json', 'text']),
    'Part of the reply that is the output. `code`: the inside of its code block, the longest of several. `json`: the JSON value in it, ' +
      'the last of several. `text`: the reply without a code fence around all of it. Default: the reply as it is.',
  ),
  tools: optional(
    z.array(nameText).max(MOST_TOOLS),
    'Names of registered actions that the model may call; only in steps of loops. The `input` of each action describes its parameters to the model. ' +
      '`ask_person`, unless the worker registered an action of that name: the model may ask a person, see `questions`.',
  ),
  maxToolRounds: optional(
    toolRounds,
    'Maximum number of model calls if there are tools. In the last one the model must not call any tool.',
    10,
  ),
  context: optional(
    z.enum(['answer', 'conversation']),
    'Of a generator: what a built-in revision goes on from. `answer`: the prompt, and the answer that is revised, with the tool calls that it was made with. ' +
      '`conversation`: all turns on the way to that answer, too: earlier answers, what was wrong with them, tool calls and their results; at most 96 KiB, of which the oldest are left out first.',
    'answer',
  ),
});

/** A call of a language model. */
export interface ModelCallStep extends Infer<typeof modelCallStep> {}

const registered = protocolText(z.string().min(1).max(NAME_CHARACTERS));
// The other form has this name.
addJsonSchemaHints(registered, {
  json: { type: 'string', minLength: 1, maxLength: NAME_CHARACTERS, not: { const: 'llm.call' } },
});

export const actionStep = z.strictObject({
  action: registered.describe('Name of an action that the worker registered.'),
  with: optional(json, 'Parameters of the action. Texts in it are templates over the state.'),
});

/** A call of an action that the worker registered. */
export interface ActionStep extends Infer<typeof actionStep> {}

export const inlineStep = z.strictObject({
  run: z.string().min(1).describe('Code that runs in a sandbox and sees the state.'),
  language,
});

/** Inline code. */
export interface InlineStep extends Infer<typeof inlineStep> {}

/** Without anything that the server refuses: under such a name of a type or a queue, nothing would ever run. */
const serverName = protocolText(
  z
    .string()
    .min(1)
    .max(NAME_CHARACTERS)
    .regex(
      /^(?!__temporal_|\/_sys\/)\P{Cc}+$/u,
      'must be a name without control characters that begins with neither `__temporal_` nor `/_sys/`',
    ),
);

export const calledWorkflow = {
  workflow: serverName.describe('Name of the workflow type, in whatever language it is written.'),
  taskQueue: optional(serverName, 'Task queue whose workers run it. Default: that of the calling run.'),
  with: optional(json, 'Parameters that it gets in addition, as `with`. Texts in it are templates over the state.'),
};

export const workflowStep = z.strictObject(calledWorkflow);

/** A child workflow, by any author and in any language. */
export interface WorkflowStep extends Infer<typeof workflowStep> {}

const OF_MODEL_CALLS = Object.keys(modelCallStep.shape).filter((key) => !(key in actionStep.shape));

/** The name of the action is the mistake, not every field of a model call beside it. */
function findActionProblem(value: object): { message: string; path: string[] } | undefined {
  const { action } = value as { action?: unknown };
  const fields = OF_MODEL_CALLS.filter((key) => key in value);
  if (typeof action !== 'string' || fields.length === 0 || 'with' in value) return undefined;
  const names = fields.map((key) => `\`${key}\``).join(', ');
  const near = didYouMean(action, ['llm.call']);
  const rule = `only llm.call takes ${names}; other actions take \`with\``;
  return { message: `is ${JSON.stringify(action)}${near}: ${rule}`, path: ['action'] };
}

function stepForm<T>(
  model: z.ZodType<T>,
  action: z.ZodType<T>,
  inline: z.ZodType<T>,
  workflow: z.ZodType<T>,
): z.ZodType<T> {
  return pickedForm(
    () => [model, action, inline, workflow],
    (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return { message: 'must be an object with `action`, `run` or `workflow`' };
      }
      if ('run' in value && !('action' in value)) return inline;
      if ('workflow' in value && !('action' in value)) return workflow;
      return (value as { action?: unknown }).action === 'llm.call' ? model : (findActionProblem(value) ?? action);
    },
  );
}

/** A step: a model call, a registered action, inline code, or a child workflow. */
export type Step = ModelCallStep | ActionStep | InlineStep | WorkflowStep;
export const step = stepForm<Step>(modelCallStep, actionStep, inlineStep, workflowStep);

export const correction = z.strictObject({
  mode: optional(
    z.enum(['replace', 'hint']),
    [
      'Meaning of the result. `replace`: the next version. `hint`: `state.reflection_hint`, with which the generator runs again;',
      'the keys of an object are state for it, too. In a `reflection.loop` node of a file, code and registered actions give hints',
      'where they do not say otherwise.',
    ].join(' '),
    'replace',
  ),
});

/** A step that corrects, with the kind of its result. */
export type Corrector = Step & Infer<typeof correction>;
export const corrector = stepForm<Corrector>(
  modelCallStep.extend(correction.shape),
  actionStep.extend(correction.shape),
  inlineStep.extend(correction.shape),
  workflowStep.extend(correction.shape),
);

/** A receiver of the events of a loop: the name of a registered action, or inline code. */
export type Hook = string | InlineStep;
export const hook = pickedForm<Hook>(
  () => [nameText, inlineStep],
  (value) => {
    if (typeof value === 'string') return nameText;
    if (typeof value === 'object' && value !== null && 'run' in value) return inlineStep;
    return { message: 'must be the name of a registered action, or an object with `run`' };
  },
);
