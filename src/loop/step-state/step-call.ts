import type { Json, JsonObject } from '../../lib/json/json';
import type { RevisionMethod } from '../contract/loop-options';
import type { TokenUsage } from '../../lib/contract/values';
import type { KeptCalls } from '../contract/calls';
import type { CallMeasurement } from '../evidence/call-record';
import type { ModelReply, Turn } from '../state/model-reply';
import type { ToolCall } from '../../lib/models/types';

export interface StepRequest {
  iteration: number;
  /** A template, not yet rendered. */
  task?: string;
  /** The part of the state that the step needs, with the loop's `reflection_*` variables. */
  state: JsonObject;
  /** Keys of the state whose texts others wrote, beside the loop's variables. */
  material?: string[];
  model?: string;
  timeoutMs: number;
  /** The maximum of output tokens that the run's budget leaves. The smaller of this and the step's own limit counts. */
  maxTokens?: number;
  maxUsd?: number;
  remaining?: string;
  /** The turns after earlier calls of the same step: replies of its model, results of its tools, findings of reviews. */
  turns?: Turn[];
  withoutTools?: true;
  /** The schema that outputs of the loop are judged by, for a step that makes a whole one and names no form itself. */
  outputSchema?: JsonObject;
}

export interface StepOutcome {
  output: Json;
  /** Why the edits in the reply could not be applied; the output is null then. */
  unappliedEdit?: string;
  /** The strategy of a built-in revision, if that is not the requested one: a reply may be a whole output instead of edits. */
  strategy?: RevisionMethod;
  cutOff?: true;
  /** Reasons for which the output is not in the requested form: it fails, and no evaluator is asked. */
  faults?: string[];
  tokenUsage?: TokenUsage;
  warnings: string[];
  /** Set if the model wants these called first; the output is then the text of its turn. */
  toolCalls?: ToolCall[];
  measured?: CallMeasurement;
  reported?: KeptCalls;
  conversation?: Json;
  /** Set if the model that the step names wrote the whole output. */
  reply?: ModelReply;
  /** The request that the reply answers, without what it says of the form; only in a conversation that goes on. */
  request?: string;
}
