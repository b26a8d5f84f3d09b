import { z } from 'zod';
import { MAXIMUM_NODES, MOST_EDGES } from '../base/defaults';
import { evaluators } from '../../../loop/contract/evaluator-list';
import type { Infer } from '../../../lib/contract/infer';
import { addJsonSchemaHints } from '../../../lib/contract/json-schema-hints';
import { timeouts } from '../../../loop/contract/loop-options';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import {
  type InlineStep,
  inlineStep,
  maxTokens,
  type ModelCallStep,
  step,
  temperature,
  type WorkflowStep,
  workflowStep,
} from '../../../loop/contract/steps';
import { json, jsonObject, nameText, optional, protocolText, stateKeys } from '../../../lib/contract/values';

export const modelCallDefaults = z.strictObject({
  model: optional(nameText, "Model of generators, correctors and judges. Default: the worker's."),
  temperature: optional(
    temperature,
    'Sampling temperature of generators and correctors, 0 to 2. Default: that of the model.',
  ),
  maxTokens: optional(
    maxTokens,
    'Maximum output tokens of one reply of a generator or corrector. Default: the limit of the model.',
  ),
});

/** Defaults of all model calls of a pipeline. A setting of a node takes precedence. */
export interface ModelCallDefaults extends Infer<typeof modelCallDefaults> {}

export const pipelineSettings = z.strictObject({
  llm: optional(
    modelCallDefaults,
    'Defaults of all model calls of the pipeline. A setting of a node takes precedence.',
  ),
  timeouts: optional(timeouts, 'Timeouts of nodes other than loops; a loop has its own.'),
});

export interface PipelineSettings extends Infer<typeof pipelineSettings> {}

export const nodeCommon = {
  // Part of a run's id, where `/` parts the pipeline from its node.
  name: protocolText(z.string().regex(/^[^/\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters, without "/"')).describe(
    "Unique in the pipeline; no `/` and no control characters. A loop's run has the id `<pipeline>/<name>`.",
  ),
  description: optional(z.string(), 'For people only.'),
  output: optional(
    nameText,
    'The key of the state that gets the output of the node. If inline code (`run`) returns an object that has this key, its keys become keys of the state.',
  ),
};

export const actionNode = z.strictObject({
  ...nodeCommon,
  uses: optional(nameText, 'What the node runs: `llm.call`, a `reflection.` action, or an action of the worker.'),
  action: optional(nameText, 'The same as `uses`.'),
  with: optional(
    json,
    'Parameters. Texts in them are templates over the state; a text that is exactly one expression keeps the type of its value.',
  ),
});

export const evaluateParameters = z.strictObject({
  evaluator: evaluators.describe('One evaluator or several.'),
  data: optional(json, 'The value to evaluate. Default: `state.reflection_output`.'),
  task: optional(z.string(), 'Shown to judges; a template.'),
});

/** Parameters of a `reflection.evaluate` node. */
export interface EvaluateParameters extends Infer<typeof evaluateParameters> {}

export const correctParameters = z.strictObject({
  corrector: step.describe('The step that corrects.'),
  data: optional(json, 'The value to correct. Default: `state.reflection_output`.'),
  errors: optional(json, 'Texts, or objects with a `message`. Default: `state.reflection_errors`.'),
  task: optional(z.string(), 'Shown to the corrector; a template.'),
});

/** Parameters of a `reflection.correct` node. */
export interface CorrectParameters extends Infer<typeof correctParameters> {}

interface NodeCommon extends Infer<z.ZodObject<typeof nodeCommon>> {}

/** The name of an action: `uses` and `action` mean the same. */
type Named<Name extends string> = { action: Name; uses?: undefined } | { uses: Name; action?: undefined };

/**
 * A node of a pipeline. Texts in `with` are templates over the state; one that is exactly one expression keeps the
 * expression's type.
 */
export type PipelineNode = NodeCommon &
  (
    | (Named<'reflection.loop'> & { with: ReflectionSpec })
    | (Named<'reflection.evaluate'> & { with: EvaluateParameters })
    | (Named<'reflection.correct'> & { with: CorrectParameters })
    | (Named<'llm.call'> & { with: Omit<ModelCallStep, 'action'> })
    | (Named<string> & { with?: z.infer<typeof json> })
    | InlineStep
    | WorkflowStep
  );

const pipelineNode = z.custom<PipelineNode>();
addJsonSchemaHints(pipelineNode, {
  forms: () => [actionNode, inlineStep.extend(nodeCommon), workflowStep.extend(nodeCommon)],
});

const edge = z.strictObject({
  from: z.string().describe('Name of a node, or `__start__`.'),
  to: z.string().describe('Name of a node, or `__end__`.'),
});

export const pipelineSpec = z.strictObject({
  name: optional(nameText, 'Shown in the Web UI.'),
  description: optional(z.string(), 'For people only.'),
  nodes: z
    .array(pipelineNode)
    .min(1, 'must have at least one node')
    .max(MAXIMUM_NODES, `must have at most ${MAXIMUM_NODES} nodes: give the rest to a pipeline of its own`)
    .describe('The nodes, which run in this order.'),
  edges: optional(
    z.array(edge).max(MOST_EDGES),
    'Optional. If given, the edges must describe the order of the nodes: from `__start__` through all of them to `__end__`.',
  ),
  settings: optional(pipelineSettings, 'Defaults of the nodes.'),
  state: optional(jsonObject, 'The initial state.', {}),
  material: optional(
    stateKeys,
    'Keys of that state whose texts are not from the author: in prompts they stand between markers, as do the outputs of nodes. `*`: all. Default: none.',
  ),
});

/** Nodes that run one after the other over one state: the argument of `reflectionPipeline`. */
export interface PipelineSpec extends Infer<typeof pipelineSpec> {}
