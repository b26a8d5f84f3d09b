import type { ZodType } from 'zod';
import type { Json, JsonObject } from '../domain/json';
import type { RevisionRequest } from '../domain/revision-request';
import type { RevisionMethod } from '../domain/spec';
import type { SpecProblem } from '../domain/spec-problem';
import type { TokenUsage } from '../domain/tokens';
import type { ToolCall, Turn } from '../domain/tools';
import type { Models } from '../models/types';
import type { Sandbox } from '../sandbox/index';
import type { ActionRegistry } from './registry';

/** What an action sees of the run that calls it. */
export interface ActionContext {
  /** The spec's state (or only the keys of `needs`) and the loop's `reflection_*` variables. A copy: changes stay here. */
  state: JsonObject;
  /** The task, rendered. */
  task?: string;
  /** The iteration that the action works for, from 1. */
  iteration: number;
  workflowId: string;
  /**
   * From 1: how often this call was begun. It is more than 1 after a failure that is tried again, and after a crash, a stall or a
   * timeout, when nobody knows how far the attempt before came.
   */
  attempt: number;
  /**
   * The same for all attempts of this call, also after a reset of the run, and for no other call: what a service needs
   * so that something is done once. Names the run, the kind of the call, the iteration, and which call of these it is.
   */
  idempotencyKey: string;
  /** Aborted when the run is cancelled or a person stops it. */
  signal: AbortSignal;
}

/** Which call of an action this is. */
export type ActionAttempt = Pick<ActionContext, 'attempt' | 'idempotencyKey'>;

/** A named function that a worker offers to generators, correctors, evaluators and plan tasks. */
export interface Action {
  name: string;
  description: string;
  input: ZodType;
  output?: ZodType;
  /** State keys that it reads; without it, it gets the spec's state and a digest of the history. */
  needs?: string[];
  /** Runs as a local activity; see `ActionDefinition`. */
  local?: boolean;
  /** Attempts of a call at most, those that were lost in a crash included. Default: as many as `timeouts.retryFor` leaves time for. */
  maximumAttempts?: number;
  run(input: never, context: ActionContext): Promise<Json> | Json;
}

/** What a step is given. */
export interface StepInput {
  /** What the step needs of the state, with the loop's `reflection_*` variables. */
  state: JsonObject;
  /** Keys of the state whose texts others wrote, beside the loop's variables. */
  material?: string[];
  /** A template, not yet rendered. */
  task?: string;
  /** The iteration that the step works for, from 1. */
  iteration: number;
  workflowId: string;
  /** Model for calls that name none. */
  model?: string;
  /** Output tokens at most, beside the step's own limit; the smaller one counts. */
  maxTokens?: number;
  /** US dollars that the output may cost at most. */
  maxUsd?: number;
  timeoutMs: number;
  /** What followed earlier calls of the same step. */
  turns?: Turn[];
  /** Present: the model may call no tools any more. */
  withoutTools?: true;
}

/** What a step may use from the worker. */
export interface StepContext {
  models: Models;
  actions: ActionRegistry;
  /** Absent: inline code is refused. */
  sandbox?: Sandbox;
  signal: AbortSignal;
  /** Absent: the only attempt. */
  attempt?: ActionAttempt;
}

export interface StepResult {
  output: Json;
  /** Absent when no model was called. */
  tokenUsage?: TokenUsage;
  warnings: string[];
  /** Present: the model wants these called first, and the output is what it said beside them. */
  toolCalls?: ToolCall[];
  /** Why the edits of a built-in revision could not be applied; the output is null then. */
  unappliedEdit?: string;
  /** How a built-in revision was made, where that is not what was asked for. */
  strategy?: RevisionMethod;
}

/** What the built-in revision works on, when a spec has no corrector. */
export type Revision = Omit<RevisionRequest, 'attempts'> & {
  attempts?: string[];
  /** What reviewers said. */
  guidance?: string[];
};

/** A mistake, with the failure type that it has when it is not the spec's form that is wrong. */
export type StepProblem = SpecProblem & { type?: 'UnknownAction' | 'UnknownModel' };
