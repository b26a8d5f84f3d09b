import { evaluatorTraits } from '../../../loop/spec/evaluator-traits';
import { omitUndefined } from '../../../lib/base/defined';
import type {
  CorrectParameters,
  EvaluateParameters,
  ModelCallDefaults,
  PipelineNode,
  PipelineSettings,
  PipelineSpec,
} from '../contract/pipeline';
import { MAXIMUM_NODES } from '../base/defaults';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { type Expanded, expandSpecsAt } from '../../../loop/spec/short-form';
import { omitNulls } from '../../../loop/spec/omit-nulls';
import { modelOfState } from '../../../loop/spec/model-of-calls';
import { isModelCall } from '../../../loop/spec/steps';
import type { Corrector, ModelCallStep, Step } from '../../../loop/contract/steps';
import type { Evaluator } from '../../../loop/contract/evaluators';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { Heartbeats } from '../../../lib/limits/recovery';
import type { ListedRun } from '../../../lib/names/search-attributes';

export type PlannedNode = { name: string; output?: string } & (
  | { kind: 'loop'; spec: ReflectionSpec }
  | ({ kind: 'evaluate' } & EvaluateParameters)
  | ({ kind: 'correct' } & CorrectParameters)
  | { kind: 'step'; step: Step }
);

/** The result of `preparePipeline`, known before anything is paid for. */
export interface PipelinePreparation extends ListedRun {
  /** Names in the spec that are known to the worker that checked it, as `LookedUp` notes them. Default: none. */
  known?: string[];
  /** State keys that registered actions declare, by action name; an action that declares none is not listed. */
  actionNeeds: Record<string, string[]>;
  /** Registered actions that run as local activities. Default: none. */
  localActions?: string[];
  timeouts: Heartbeats & { modelCallMs: number; stepMs: number; retryForMs: number };
  maximumStateBytes: number;
  /**
   * Values of this many bytes or more are stored outside of the history. Default: 64 KiB, if any values are stored there.
   */
  storedFromBytes?: number;
  /**
   * By a node's index: JSON Pointers of the parameters inside its steps and evaluators that get their values when it is
   * reached. Undefined when there are none.
   */
  late?: Record<string, string[]>;
  /** By a node's index: warnings for its author. Undefined when there are none; loops report their own. */
  warnings?: Record<string, string[]>;
}

/** The name of the action that a node runs; undefined for inline code and workflows. */
export function actionOf(node: PipelineNode): string | undefined {
  return 'run' in node || 'workflow' in node ? undefined : (node.action ?? node.uses);
}

function namedAction(node: unknown): string | undefined {
  const action = isJsonObject(node) ? actionOf(node as unknown as PipelineNode) : undefined;
  return typeof action === 'string' ? action : undefined;
}

/** A node without the nulls that are data elsewhere: its `output` is a name, and built-in actions have parameters of ours. */
function nodeWithoutNulls(node: Json): Json {
  if (!isJsonObject(node)) return node;
  const { output = null, with: parameters = null, ...others } = node;
  const action = namedAction(node);
  const isBuiltIn = action === 'llm.call' || action?.startsWith('reflection.');
  return {
    ...others,
    ...(output !== null && { output }),
    ...(Object.hasOwn(node, 'with') && { with: isBuiltIn ? omitNulls(parameters) : parameters }),
  };
}

/** A pipeline whose loops, of as many nodes as a pipeline may have, are in their long form. */
export function expandPipeline(written: unknown): Expanded {
  const given = omitNulls(written);
  const nodes = isJsonObject(given) ? given['nodes'] : undefined;
  if (!isJsonObject(given) || !Array.isArray(nodes)) return expandSpecsAt(given, []);
  const listed = nodes.slice(0, MAXIMUM_NODES).map(nodeWithoutNulls);
  const pointers = listed.flatMap((node, index) =>
    namedAction(node) === 'reflection.loop' ? [`/nodes/${index}/with`] : [],
  );
  return expandSpecsAt({ ...given, nodes: [...listed, ...nodes.slice(listed.length)] }, pointers);
}

function withDefaults<Kind extends Step | Corrector>(step: Kind, defaults: ModelCallDefaults): Kind {
  return isModelCall(step) ? { ...defaults, ...step } : step;
}

function withJudgeModel(evaluator: Evaluator, model: string | undefined): Evaluator {
  return model !== undefined && evaluatorTraits(evaluator.type).asksForIssues
    ? ({ model, ...evaluator } as Evaluator)
    : evaluator;
}

function loopSpec(name: string, spec: ReflectionSpec, { model, ...writing }: ModelCallDefaults): ReflectionSpec {
  return omitUndefined({
    name,
    // The model of the pipeline yields to those of the loop and its steps, and is used by its judges, too.
    model,
    ...spec,
    generator: withDefaults(spec.generator, writing),
    corrector: spec.corrector && withDefaults(spec.corrector, writing),
  });
}

/** The settings of a pipeline; its state may name the model of calls that name none. */
export function settingsOfPipeline({
  settings = {},
  state,
}: Pick<PipelineSpec, 'settings' | 'state'>): PipelineSettings {
  const model = settings.llm?.model ?? modelOfState(state, 'run')?.name;
  return model === undefined ? settings : { ...settings, llm: { ...settings.llm, model } };
}

export function planNode(node: PipelineNode, { llm = {} }: PipelineSettings = {}): PlannedNode {
  const common = omitUndefined({ name: node.name, output: node.output });
  if ('run' in node)
    return { ...common, kind: 'step', step: omitUndefined({ run: node.run, language: node.language }) };
  if ('workflow' in node) {
    const { workflow, taskQueue, with: told } = node;
    return { ...common, kind: 'step', step: omitUndefined({ workflow, taskQueue, with: told }) };
  }
  const action = actionOf(node)!;
  // The pipeline is valid: each action's parameters have the form that the schemas require.
  const parameters = (node.with ?? {}) as unknown;
  switch (action) {
    case 'reflection.loop':
      return { ...common, kind: 'loop', spec: loopSpec(node.name, parameters as ReflectionSpec, llm) };
    case 'reflection.evaluate': {
      const { evaluator, ...rest } = parameters as EvaluateParameters;
      const judge = (each: Evaluator): Evaluator => withJudgeModel(each, llm.model);
      const judged = Array.isArray(evaluator) ? evaluator.map(judge) : judge(evaluator);
      return { ...common, kind: 'evaluate', ...rest, evaluator: judged };
    }
    case 'reflection.correct': {
      const { corrector, ...rest } = parameters as CorrectParameters;
      return { ...common, kind: 'correct', ...rest, corrector: withDefaults(corrector, llm) };
    }
    case 'llm.call': {
      const step: ModelCallStep = { ...(parameters as Omit<ModelCallStep, 'action'>), action };
      return { ...common, kind: 'step', step: withDefaults(step, llm) };
    }
    default:
      return { ...common, kind: 'step', step: { action, with: parameters as Json } };
  }
}
