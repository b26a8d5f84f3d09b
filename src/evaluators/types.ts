import type { StepArguments, StepContext } from '../actions/types';
import type { WorkflowCalls } from '../actions/workflow-calls';
import type { Json } from '../lib/json/json';
import type { KeptCalls } from '../loop/contract/calls';
import type { CandidatePlace } from '../loop/spec/evaluator-parts';
import type { Evaluator, EvaluatorType } from '../loop/contract/evaluators';
import type { TypedProblem } from '../lib/base/spec-problem';
import type { Answer, Judgement, UnreadableReply } from '../loop/state/evaluation';
import type { ExternalCalls } from '../lib/external';
import type { SchemaFolder } from './schema/references/schema-file';

/** The input of every evaluator beside its own configuration; `model` is the default model of judges. */
export interface EvaluationInput extends StepArguments {
  output: Json;
  task?: string;
  /** The task for prompts, with what others wrote between markers; undefined if others wrote none of it. */
  taskInPrompts?: string;
  qualityThreshold: number;
  /** `reflectionPrompt` of the spec. */
  judgePrompt?: string;
  structured: boolean;
  /** The version before this one, for evaluators that compare with it; undefined if there is none. */
  prior?: Json;
  /** The inputs of the output, by keys of the state, if the output was repaired and no prompt shows them. */
  inputs?: Record<string, string>;
  /** The calls that were made for the output and for the versions that it was made from, the oldest first. */
  evidence?: KeptCalls;
  candidate?: CandidatePlace;
  /** Temperature of judges that have none of their own, as the spec sets it. */
  temperature?: number;
  /** Set if judges are asked what only a person can bring. */
  asksBlockers?: true;
  /** The number of this draw among those of the same judge about the same output; undefined for a judge that is asked once. */
  draw?: number;
  /** The answers that a judge gave before, by question: it is asked the other questions only. */
  answers?: Record<string, Answer>;
}

export interface EvaluationContext extends StepContext {
  /** Default: no commands, and public addresses only. False: no external calls at all. */
  external?: ExternalCalls | false;
  /** The folder whose files schemas may refer to. Default: none. */
  schemaFolder?: SchemaFolder;
}

export type ProblemContext = Omit<EvaluationContext, 'signal' | 'attempt'> & WorkflowCalls;

/** One kind of evaluator. CONTRIBUTING lists what a new kind needs beside a file that exports one of these. */
export interface EvaluatorKind<Config extends Evaluator = Evaluator> {
  type: Config['type'];
  /** All problems that can be found before the run; paths are relative to the evaluator. */
  problems(config: Config, context: ProblemContext): TypedProblem[] | Promise<TypedProblem[]>;
  /** Judges one output; makes at most one model call. Throws what the model call or the action throws. */
  evaluate(config: Config, input: EvaluationInput, context: EvaluationContext): Promise<Judgement>;
  /** Makes one model call to read a judge's unreadable reply, or to ask the questions that it leaves out. */
  repair?(
    config: Config,
    input: EvaluationInput,
    unreadable: Pick<UnreadableReply, 'reply' | 'answers'>,
    context: EvaluationContext,
  ): Promise<Judgement>;
}

export type EvaluatorRegistry = { [Type in EvaluatorType]: EvaluatorKind<Extract<Evaluator, { type: Type }>> };
