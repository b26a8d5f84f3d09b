import type { ActionAttempt, ActionRegistry } from '../actions/types';
import type { Json, JsonObject } from '../domain/base/json';
import type { CandidatePlace } from '../domain/spec/evaluator-parts';
import type { Evaluator, EvaluatorType } from '../domain/spec/spec';
import type { TypedProblem } from '../domain/base/spec-problem';
import type { Judgement } from '../domain/state/evaluation';
import type { ExternalCalls } from '../external/index';
import type { Models } from '../models/types';
import type { Sandbox } from '../sandbox/index';

/** What every evaluator is given beside its own configuration. */
export interface EvaluationInput {
  output: Json;
  /** The task, rendered. */
  task?: string;
  /** The same for prompts, with what others wrote between markers; absent where nobody else wrote any of it. */
  taskInPrompts?: string;
  /** State for templates; `reflection_output` is the output. */
  state: JsonObject;
  /** Keys of the state whose texts others wrote, beside the loop's variables. */
  material?: string[];
  qualityThreshold: number;
  /** The iteration that is judged, from 1. */
  iteration: number;
  workflowId: string;
  /** Model for judges, where the evaluator names none. */
  model?: string;
  /** `reflectionPrompt` of the spec. */
  judgePrompt?: string;
  /** `structuredReflection` of the spec. */
  structured: boolean;
  /** The version before this one, for evaluators that compare with it; absent when there is none. */
  prior?: Json;
  /** For a comparison by a judge: which of the two the output is shown as. */
  candidate?: CandidatePlace;
  timeoutMs: number;
  /** Output tokens at most: what the run's budget leaves. */
  maxTokens?: number;
  /** US dollars that the output may cost at most. */
  maxUsd?: number;
}

/** What an evaluator may use from the worker. */
export interface EvaluationContext {
  models: Models;
  actions: ActionRegistry;
  /** Absent: no commands, and public addresses only. False: no external calls at all. */
  external?: ExternalCalls | false;
  /** Absent: inline code is refused. */
  sandbox?: Sandbox;
  /** The folder whose files schemas may refer to; absent: none. */
  schemaRoot?: string;
  signal: AbortSignal;
  /** Absent: the only attempt. */
  attempt?: ActionAttempt;
}

/** What is known of the worker when a spec is checked. */
export type ProblemContext = Omit<EvaluationContext, 'signal' | 'attempt'>;

/** One kind of evaluator. A new kind is one file that exports one of these, and one line in `index.ts`. */
export interface EvaluatorKind<Config extends Evaluator = Evaluator> {
  type: Config['type'];
  /**
   * Cheap and deterministic: runs as a local activity, before the others, and is never paid for. A function, where it
   * depends on the configuration.
   */
  local: boolean | ((config: Config) => boolean);
  /**
   * False for what is neither local nor a judge: it costs no tokens, but may wait. It runs on the queue of ordinary steps,
   * within `timeouts.step`, and before the judges. Default true; a function, where it depends on the configuration.
   */
  asksModel?: boolean | ((config: Config) => boolean);
  /** Everything that can be found wrong before the run; paths are relative to the evaluator. */
  problems(config: Config, context: ProblemContext): TypedProblem[] | Promise<TypedProblem[]>;
  /** Judges one output; makes at most one model call. Throws what the model call or the action throws. */
  evaluate(config: Config, input: EvaluationInput, context: EvaluationContext): Promise<Judgement>;
  /** Makes one model call to read a judge's unreadable reply. */
  repair?(config: Config, input: EvaluationInput, reply: string, context: EvaluationContext): Promise<Judgement>;
}

export type EvaluatorRegistry = { [Type in EvaluatorType]: EvaluatorKind<Extract<Evaluator, { type: Type }>> };
