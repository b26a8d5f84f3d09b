import type { WaitNotification } from '../loop/contract/notification';
import type { UnlinkedWait } from '../loop/page/wait-notice';
import type { MemoryActivities } from './memory/protocol';
import type { Answer, Verdict } from '../loop/state/evaluation';
import type { Turn } from '../loop/state/model-reply';
import type { HookDecision, HookName } from '../loop/moves/hooks';
import type { KeptCalls } from '../loop/contract/calls';
import type { BarredCall } from '../loop/contract/required-calls';
import type { ParsedArguments } from '../loop/state/parked-step';
import type { CallMeasurement } from '../loop/evidence/call-record';
import type { CandidatePlace } from '../loop/spec/evaluator-parts';
import type { MovedPart } from '../loop/spec/short-form';
import type { Json, JsonObject } from '../lib/json/json';
import type { Preparation } from '../loop/state/loop-settings';
import type { RevisionRequest } from '../loop/revision/revision-plan';
import type { Evaluator } from '../loop/contract/evaluators';
import type { InlineStep, Step } from '../loop/contract/steps';
import type { StepOutcome, StepRequest } from '../loop/step-state/step-call';

interface Keyed {
  /** A key that all attempts of a call share, and no other call has. */
  idempotencyKey?: string;
  /** The first run of the chain, where that is another one. */
  chain?: string;
}

export interface StepInput extends Keyed, StepRequest {
  step: Step;
  /** The built-in revision. If it is given, the step is the generator, and its model makes the revision. */
  revision?: RevisionRequest;
  /** The text is shown while the model writes it. */
  stream?: true;
}

/** The input of evaluators; the activity returns one verdict for each, in their order. */
export interface EvaluateInput extends Keyed {
  evaluators: Evaluator[];
  names: string[];
  iteration: number;
  output: Json;
  task?: string;
  /** State without `reflection_output`, which is the output. */
  state: JsonObject;
  /** Keys of the state whose texts others wrote, beside the loop's variables. */
  material?: string[];
  qualityThreshold: number;
  /** In the evaluators' order: the score that each needs, where that is not `qualityThreshold`. */
  thresholds?: (number | null)[];
  /** The version before this one; only where an evaluator compares with it. */
  prior?: Json;
  /** The inputs from which the output was made, by keys of the state; only for judges of a repaired output. */
  inputs?: Record<string, string>;
  /** The calls that were made for the output and for the versions that it was made from, the oldest first. */
  evidence?: KeptCalls;
  /** Which of the two a judge that compares is shown the output as. */
  candidate?: CandidatePlace;
  model?: string;
  /** Temperature of judges that have none of their own, as the spec sets it. */
  temperature?: number;
  /** Set if judges are asked what only a person can bring, as the spec says. */
  asksBlockers?: true;
  /** The number of this draw among those of the same judge about the same output; undefined for a judge that is asked once. */
  draw?: number;
  judgePrompt?: string;
  /** A line about what is left of the budget, for the end of the prompt. */
  remaining?: string;
  structured: boolean;
  timeoutMs: number;
  /** The maximum of output tokens: what the run's budget leaves. */
  maxTokens?: number;
  maxUsd?: number;
  /** The turns of a judge with tools so far: its calls, and their results. */
  turns?: Turn[];
  withoutTools?: true;
}

/** A judge's reply that could not be read, or not as a whole, with all that was judged. */
export type RepairInput = Omit<EvaluateInput, 'evaluators' | 'names'> & {
  evaluator: Evaluator;
  name: string;
  reply: string;
  /** The answers in a reply that leaves questions out; the others are asked. */
  answers?: Record<string, Answer>;
};

/** A registered action, or inline code with its time limit in milliseconds. */
export type HookWork = { action: string } | { code: InlineStep; timeoutMs: number };

export type HookInput = HookWork &
  Keyed & {
    hook: HookName;
    /** A `HookEvents[HookInput['hook']]`. */
    event: JsonObject;
    /** Template. */
    task?: string;
    /** State without `reflection_output`, which the event has. */
    state: JsonObject;
  };

export interface ToolInput extends Keyed {
  action: string;
  /** JSON, as the model wrote it. */
  arguments: string;
  iteration: number;
  /** Template. */
  task?: string;
  state: JsonObject;
  /** The action, in the place of `action`, which is empty then: a worker of an earlier release, without approvals, does not find it. */
  guarded?: string;
  /** A person approved the call with these arguments. */
  approved?: true;
  /** The digest of the arguments that the person saw: what `input` makes of `arguments` must be that. */
  seen?: string;
  /** The action, in the place of `action`, of which only `input` reads the arguments: it is not called. */
  checked?: string;
  /** The conditions of the spec's rules about calls of this action, which are checked before the record hides anything. */
  rules?: Pick<BarredCall, 'arguments' | 'result'>[];
  /** A judge makes the call: the action must be one that only reads, and its errors are answers. */
  byJudge?: true;
}

export interface ToolAnswer {
  content: string;
  /** The arguments were invalid, so that the action did not run, or its result was invalid. */
  failed: boolean;
  invalid?: true;
  /** A person has to approve the call first; the action did not run. */
  needsApproval?: true;
  /** The arguments after `input`, if a person has to see them first. */
  parsed?: ParsedArguments;
  measured?: CallMeasurement;
}

export interface NotifyInput extends Pick<WaitNotification, 'id' | 'type' | 'timestamp'> {
  waits: UnlinkedWait[];
  /** Id of the batch that collected them. */
  batch?: string;
  more?: number;
}

/** The activities of this package, as workflows see them. Each kind of run adds its own, in the `protocol` of its folder. */
export interface ReflectionActivities extends MemoryActivities {
  /** Local. Whether the namespace has our search attributes, still. */
  hasSearchAttributes(input: Record<string, never>): Promise<boolean>;
  /** Local. Throws `InvalidSpec`, `UnknownAction`, `UnknownModel`; retried for names of `known`, which the enclosing run's worker knew. */
  prepare(input: { spec: unknown; known?: string[]; functions?: string[]; moved?: MovedPart[] }): Promise<Preparation>;
  /**
   * Local. A text that is exactly one expression keeps its type. With `node`, the value is that of deferred parameters
   * by JSON Pointer; throws `InvalidSpec` where the node cannot be run with them. `material` are keys of texts that
   * others wrote; in the result, JSON Pointers of what was made of them.
   */
  renderParameters(input: {
    value: Json;
    state: JsonObject;
    task?: string;
    material?: string[];
    node?: { action: string; parameters: JsonObject };
    known?: string[];
  }): Promise<{ value: Json; warnings: string[]; material?: string[] }>;
  generate(input: StepInput): Promise<StepOutcome>;
  revise(input: StepInput): Promise<StepOutcome>;
  tool(input: ToolInput): Promise<ToolAnswer>;
  /** Local for deterministic evaluators; for judges one evaluator a call. */
  evaluate(input: EvaluateInput): Promise<Verdict[]>;
  /** One call that reads a judge's unreadable reply, or asks the questions that it leaves out. */
  repair(input: RepairInput): Promise<Verdict>;
  hook(input: HookInput): Promise<HookDecision>;
  /** Posts a notification once. Fails where the receiver did not take it, or this worker knows none. */
  notify(input: NotifyInput): Promise<void>;
}
