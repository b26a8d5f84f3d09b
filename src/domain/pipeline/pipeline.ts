import type { Json, JsonObject } from '../base/json';
import { isModelCall } from '../spec/steps';
import type { Duration } from '../base/duration';
import type { Corrector, Evaluator, InlineStep, ModelCallStep, ReflectionSpec, Step } from '../spec/spec';
import type { Heartbeats } from '../spec/recovery';
import type { ListedRun } from '../base/search-attributes';

/** Nodes of a pipeline at most: each leaves its events, and its share of the state, in the one history of the run. */
export const MAXIMUM_NODES = 100;

/** Defaults of all model calls of a pipeline. What a node says itself wins. */
export interface ModelCallDefaults {
  /** For writers and judges. */
  model?: string;
  /** For writers. */
  temperature?: number;
  /** For writers. */
  maxTokens?: number;
}

export interface PipelineSettings {
  llm?: ModelCallDefaults;
  /** Of nodes that are no loop; a loop has its own. */
  timeouts?: { modelCall?: Duration; step?: Duration; retryFor?: Duration };
}

interface NodeCommon {
  /** Its own within the pipeline: no `/` and no control characters. A loop's run has the id `<pipeline>/<name>`. */
  name: string;
  /** Read by people only. */
  description?: string;
  /** The key of the state that gets what the node made. */
  output?: string;
}

/** `uses` and `action` mean the same. */
type Named<Name extends string> = { action: Name; uses?: undefined } | { uses: Name; action?: undefined };

/** Parameters of a `reflection.evaluate` node. */
export interface EvaluateParameters {
  evaluator: Evaluator | Evaluator[];
  /** What is judged. Default: `state.reflection_output`. */
  data?: Json;
  /** Shown to a judge; a template. */
  task?: string;
}

/** Parameters of a `reflection.correct` node. */
export interface CorrectParameters {
  corrector: Step;
  /** What is corrected. Default: `state.reflection_output`. */
  data?: Json;
  /** Texts, or objects with a `message`. Default: `state.reflection_errors`. */
  errors?: Json;
  /** Shown to the corrector; a template. */
  task?: string;
}

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
    | (Named<string> & { with?: Json })
    | InlineStep
  );

/** Nodes that run one after the other over one state. */
export interface PipelineSpec {
  /** Shown in the Web UI. */
  name?: string;
  /** Read by people only. */
  description?: string;
  /** 1..100. They run in this order. */
  nodes: PipelineNode[];
  /** May only draw the line that the nodes are: from `__start__` through all of them to `__end__`. */
  edges?: { from: string; to: string }[];
  settings?: PipelineSettings;
  /** What the state is at first. Default `{}`. */
  state?: JsonObject;
  /**
   * Keys of that state whose texts others wrote: in prompts these stand between markers, as everything does that nodes put
   * there. `*`: all. Default: none.
   */
  material?: string[];
}

/** What became of one node. */
export interface NodeReport {
  name: string;
  /** Milliseconds that it took, waiting included. */
  ms: number;
  /** Id of the run that a `reflection.loop` node was. */
  workflowId?: string;
  /** Present when there are any, such as variables that its templates named and the state had not. */
  warnings?: string[];
}

export interface PipelineResult {
  /** After the last node. */
  state: JsonObject;
  nodes: NodeReport[];
}

/** A node, read: what it does, with the pipeline's defaults filled in. */
export type PlannedNode = { name: string; output?: string } & (
  | { kind: 'loop'; spec: ReflectionSpec }
  | ({ kind: 'evaluate' } & EvaluateParameters)
  | ({ kind: 'correct' } & CorrectParameters)
  | { kind: 'step'; step: Step }
);

/** What `preparePipeline` found out before anything was paid for. */
export interface PipelinePreparation extends ListedRun {
  /** Names in it that the worker knows which checked it, as `LookedUp` notes them. Absent: none. */
  known?: string[];
  /** State keys that registered actions declare, by action name; an action that declares none is not listed. */
  actionNeeds: Record<string, string[]>;
  /** Registered actions that run as local activities; absent: none. */
  localActions?: string[];
  timeouts: Heartbeats & { modelCallMs: number; stepMs: number; retryForMs: number };
  /** Bytes of the state at most, as JSON. */
  maximumStateBytes: number;
  /** Values of so many bytes or more are stored outside of the history. Absent: those of 64 KiB, where any are. */
  storedFromBytes?: number;
  /**
   * By a node's index: JSON Pointers of the parameters inside its steps and evaluators that get their values when it is
   * reached. Absent when there are none.
   */
  late?: Record<string, string[]>;
}

/** What a node runs, by name; undefined for inline code. */
export function actionOf(node: PipelineNode): string | undefined {
  return 'run' in node ? undefined : (node.action ?? node.uses);
}

/** A step with the defaults of model calls, if it is one. */
function withDefaults<Kind extends Step | Corrector>(step: Kind, defaults: ModelCallDefaults): Kind {
  return isModelCall(step) ? { ...defaults, ...step } : step;
}

/** Kinds of evaluators that ask a model of their own choice. */
const JUDGES = new Set<string>(['llm', 'criteria']);

function withJudgeModel(evaluator: Evaluator, model: string | undefined): Evaluator {
  return model !== undefined && JUDGES.has(evaluator.type) ? ({ model, ...evaluator } as Evaluator) : evaluator;
}

function loopSpec(name: string, spec: ReflectionSpec, { model, ...writing }: ModelCallDefaults): ReflectionSpec {
  return {
    name,
    // Below what the loop and its steps say of models, and for its judges, too.
    ...(model === undefined ? {} : { model }),
    ...spec,
    generator: withDefaults(spec.generator, writing),
    ...(spec.corrector ? { corrector: withDefaults(spec.corrector, writing) } : {}),
  };
}

/** Reads a valid pipeline's node. */
export function planNode(node: PipelineNode, { llm = {} }: PipelineSettings = {}): PlannedNode {
  const common = { name: node.name, ...(node.output === undefined ? {} : { output: node.output }) };
  if ('run' in node) {
    const { run, language } = node;
    return { ...common, kind: 'step', step: { run, ...(language === undefined ? {} : { language }) } };
  }
  const action = actionOf(node)!;
  // A valid pipeline: each action's parameters have the form that the schemas demand of them.
  const parameters = (node.with ?? {}) as unknown;
  switch (action) {
    case 'reflection.loop':
      return { ...common, kind: 'loop', spec: loopSpec(node.name, parameters as ReflectionSpec, llm) };
    case 'reflection.evaluate': {
      const { evaluator, ...rest } = parameters as EvaluateParameters;
      const judged = Array.isArray(evaluator)
        ? evaluator.map((each) => withJudgeModel(each, llm.model))
        : withJudgeModel(evaluator, llm.model);
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

/** Bytes of a run's id at most: the server refuses longer ones, for ever. */
export const LONGEST_ID_BYTES = 1_000;

/** Id of the run that a loop of a pipeline is. */
export function childId(pipelineId: string, node: string): string {
  return `${pipelineId}/${node}`;
}
