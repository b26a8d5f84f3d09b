import { z } from 'zod';
import { MAXIMUM_NODES, MOST_EDGES } from '../domain/base/maxima';
import { evaluators } from './evaluator-list';
import type { Infer } from './infer';
import { timeouts } from './loop-options';
import type { ReflectionSpec } from './spec';
import { type InlineStep, maxTokens, type ModelCallStep, step, temperature } from './steps';
import { json, jsonObject, nameText, optional, stateKeys } from './values';

export const modelCallDefaults = z.strictObject({
  model: optional(nameText, "Model of writers and judges. Default: the worker's."),
  temperature: optional(temperature, 'Sampling temperature of writers, 0 to 2. Default: that of the model.'),
  maxTokens: optional(maxTokens, 'Output tokens of one reply of a writer at most. Default: the limit of the model.'),
});

/** Defaults of all model calls of a pipeline. What a node says itself wins. */
export interface ModelCallDefaults extends Infer<typeof modelCallDefaults> {}

export const pipelineSettings = z.strictObject({
  llm: optional(modelCallDefaults, 'Defaults of all model calls of the pipeline. What a node says itself wins.'),
  timeouts: optional(timeouts, 'Of nodes that are no loop; a loop has its own.'),
});

export interface PipelineSettings extends Infer<typeof pipelineSettings> {}

/** What a node is beside what it runs. */
export const nodeCommon = {
  // Part of a run's id, where `/` parts the pipeline from its node.
  name: z
    .string()
    .regex(/^[^/\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters, without "/"')
    .describe(
      "Its own within the pipeline: no `/` and no control characters. A loop's run has the id `<pipeline>/<name>`.",
    ),
  description: optional(z.string(), 'Read by people only.'),
  output: optional(nameText, 'The key of the state that gets what the node made.'),
};

export const actionNode = z.strictObject({
  ...nodeCommon,
  uses: optional(nameText, 'What the node runs: `llm.call`, a `reflection.` action, or an action of the worker.'),
  action: optional(nameText, 'The same as `uses`.'),
  with: optional(
    json,
    'Parameters. Texts in them are templates over the state; one that is exactly one expression keeps its type.',
  ),
});

export const evaluateParameters = z.strictObject({
  evaluator: evaluators.describe('One evaluator or several.'),
  data: optional(json, 'What is judged. Default: `state.reflection_output`.'),
  task: optional(z.string(), 'Shown to judges; a template.'),
});

/** Parameters of a `reflection.evaluate` node. */
export interface EvaluateParameters extends Infer<typeof evaluateParameters> {}

export const correctParameters = z.strictObject({
  corrector: step.describe('What corrects.'),
  data: optional(json, 'What is corrected. Default: `state.reflection_output`.'),
  errors: optional(json, 'Texts, or objects with a `message`. Default: `state.reflection_errors`.'),
  task: optional(z.string(), 'Shown to the corrector; a template.'),
});

/** Parameters of a `reflection.correct` node. */
export interface CorrectParameters extends Infer<typeof correctParameters> {}

interface NodeCommon extends Infer<z.ZodObject<typeof nodeCommon>> {}

/** `uses` and `action` mean the same. */
type Named<Name extends string> = { action: Name; uses?: undefined } | { uses: Name; action?: undefined };

/**
 * A step of a pipeline. Texts in `with` are templates over the state; one that is exactly one expression keeps the
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
  );

const edge = z.strictObject({
  from: z.string().describe('Name of a node, or `__start__`.'),
  to: z.string().describe('Name of a node, or `__end__`.'),
});

export const pipelineSpec = z.strictObject({
  name: optional(z.string().min(1).max(200), 'Shown in the Web UI.'),
  description: optional(z.string(), 'Read by people only.'),
  nodes: z
    // Checked by hand, by the form of what each node runs.
    .array(z.custom<PipelineNode>())
    .min(1, 'must have at least one node')
    .max(MAXIMUM_NODES, `must have at most ${MAXIMUM_NODES} nodes: give the rest to a pipeline of its own`)
    .describe('They run in this order.'),
  edges: optional(
    z.array(edge).max(MOST_EDGES),
    'May only draw the line that the nodes are: from `__start__` through all of them to `__end__`.',
  ),
  settings: optional(pipelineSettings, 'Defaults of the nodes.'),
  state: optional(jsonObject, 'What the state is at first.', {}),
  material: optional(
    stateKeys,
    'Keys of that state whose texts others wrote: in prompts these stand between markers, as everything does that nodes put there. `*`: all. Default: none.',
  ),
});

/** Nodes that run one after the other over one state: the argument of `reflectionPipeline`. */
export interface PipelineSpec extends Infer<typeof pipelineSpec> {}
