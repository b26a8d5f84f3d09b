import type { z, ZodType } from 'zod';
import type { Json, JsonObject } from '../domain/base/json/json';
import type { AttachmentReference } from '../contract/spec/attachments';
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

/** The definition of an action. `run` is called with the parameters as `input` parsed them. */
export interface ActionDefinition<Input extends ZodType, Output extends ZodType = ZodType> {
  name: string;
  description: string;
  /**
   * Validates the parameters before `run` is called. If the action is used as a tool, the model gets it as a JSON
   * Schema.
   */
  input: Input;
  /** The JSON Schema that a model gets, if `input` has a part that no JSON Schema can say. Default: that of `input`. */
  parameters?: JsonObject;
  /** Validates the result. */
  output?: Output;
  /** State keys that the action reads. Default: it gets the spec's state and a digest of the history. */
  needs?: readonly string[];
  /**
   * True: the action runs in the worker of the workflow, as a local activity, without a round trip through the Temporal
   * server. Only for work that takes well under a second, is free of charge and safe to repeat: after a crash of the
   * worker, all local activities since the last workflow task run again. A local action learns of an abort only after
   * it has ended. Default: false.
   */
  local?: boolean;
  /**
   * Maximum number of attempts of a call, from 1. An attempt that was lost with its worker counts, so 1 means at most
   * once. Not for local actions. Default: a call is retried after a crash, a timeout, and a retryable
   * `ApplicationFailure`, until `timeouts.retryFor` has passed.
   */
  maximumAttempts?: number;
  run(input: z.output<Input>, context: ActionContext): Promise<Json> | Json;
}

/** A named function that a worker offers to generators, correctors, evaluators and plan tasks. */
export interface Action extends Omit<ActionDefinition<ZodType>, 'run'> {
  run(input: never, context: ActionContext): Promise<Json> | Json;
}

/** All registered actions of a worker. */
export interface ActionRegistry {
  readonly names: string[];
  find(name: string): Action | undefined;
  /** Throws `UnknownAction`. */
  get(name: string): Action;
  /** What is said of a name that `find` does not find. */
  whyNot(name: string): string;
  /**
   * Learns what only a server can tell of some names, which `find` finds from then on: tools of MCP servers.
   *
   * @throws ApplicationFailure when a server is away
   */
  learn(names: readonly string[], signal: AbortSignal): Promise<void>;
}

/** What a step is given. */
export interface StepArguments extends StepRequest {
  workflowId: string;
}

/** What an action is called with, beside its parameters; the task is a template, or rendered. */
export type ActionCall = Pick<StepArguments, 'state' | 'task' | 'iteration' | 'workflowId'>;

/** What an action may use from the worker. */
export type ActionUse = Pick<StepContext, 'actions' | 'signal' | 'attempt'>;

/** Where pictures and files are kept outside of histories. */
export interface AttachmentReader {
  /** @throws AttachmentMissing, and what the storage throws */
  load(reference: AttachmentReference, signal?: AbortSignal): Promise<Uint8Array>;
}

/** What a step may use from the worker. */
export interface StepContext {
  models: Models;
  actions: ActionRegistry;
  /** Absent: inline code is refused. */
  sandbox?: Sandbox;
  /** Absent: the worker has no storage. */
  attachments?: AttachmentReader;
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
