import type { ZodType } from 'zod';
import type { Json, JsonObject } from '../domain/base/json';
import type { RevisionRequest } from '../domain/revision/revision-plan';
import type { StepRequest } from '../domain/step-state/step-call';
import type { Models } from '../models/types';
import type { Sandbox } from '../sandbox';

/** What an action knows of the run that calls it. */
export interface ActionContext {
  /**
   * The spec's state (or only the keys of `needs`) and the loop's `reflection_*` variables. It is a copy: changes have
   * no effect on the run.
   */
  state: JsonObject;
  /** The task of the spec, rendered. */
  task?: string;
  /** The iteration that the action works for, from 1. */
  iteration: number;
  workflowId: string;
  /**
   * The number of this attempt, from 1. It is more than 1 after a retryable failure, and after a crash, a stall or a
   * timeout, when it is unknown how far the previous attempt came.
   */
  attempt: number;
  /**
   * The same for all attempts of this call, also after a reset of the run, and different for every other call. Pass it
   * to services that carry out a request once per key. It is made of the run, the kind of the call, the iteration, and
   * the number of the call.
   */
  idempotencyKey: string;
  /** Aborted when the run is cancelled or a person aborts it. */
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
  /** State keys that it reads. Default: it gets the spec's state and a digest of the history. */
  needs?: string[];
  /** Runs as a local activity; see `ActionDefinition`. */
  local?: boolean;
  /**
   * Maximum number of attempts of a call, including those that were lost in a crash. Default: as many as
   * `timeouts.retryFor` allows.
   */
  maximumAttempts?: number;
  run(input: never, context: ActionContext): Promise<Json> | Json;
}

/** All registered actions of a worker. */
export interface ActionRegistry {
  readonly names: string[];
  find(name: string): Action | undefined;
  /** Throws `UnknownAction`. */
  get(name: string): Action;
}

/** What a step is given. */
export interface StepArguments extends StepRequest {
  workflowId: string;
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

/** What the built-in revision works on, when a spec has no corrector. */
export type Revision = Omit<RevisionRequest, 'attempts'> & {
  attempts?: string[];
  /** What reviewers said. */
  guidance?: string[];
};
