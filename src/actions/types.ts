import type { z, ZodType } from 'zod';
import type { Json, JsonObject } from '../lib/json/json';
import type { AttachmentReference } from '../lib/contract/attachments';
import type { RevisionRequest } from '../loop/revision/revision-plan';
import type { StepRequest } from '../loop/step-state/step-call';
import type { Models } from '../lib/models/types';
import type { Sandbox } from '../lib/sandbox';

/** The information about the run that an action gets from its call. */
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
   * timeout, when it is unknown how far the previous attempt got.
   */
  attempt: number;
  /**
   * The key of this call: equal for all its attempts, also after a reset of the run, and different for every other
   * call. Pass it to services that carry out a request once per key. It is made of the run, the kind of the call, the
   * iteration, and the number of the call.
   */
  idempotencyKey: string;
  /** Aborted when the run is cancelled or a person aborts it. */
  signal: AbortSignal;
}

export type ActionAttempt = Pick<ActionContext, 'attempt' | 'idempotencyKey'>;

/** A rule that decides by the parameters of a call whether it needs approval. Written as a method, so that its input may be narrower. */
export type ApprovalRule<Input> = { needsApproval(input: Input): boolean | Promise<boolean> }['needsApproval'];

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
   * Whether the action runs in the worker of the workflow, as a local activity, without a round trip through the
   * Temporal server. Only for work that takes well under a second, is free of charge and safe to repeat: after a crash
   * of the worker, all local activities since the last workflow task run again. A local action learns of an abort only
   * after it has ended. Default: false.
   */
  local?: boolean;
  /**
   * Maximum number of attempts of a call, from 1. An attempt that was lost with its worker counts, so 1 means at most
   * once. Not for local actions. Default: a call is retried after a crash, a timeout, and a retryable
   * `ApplicationFailure`, until `timeouts.retryFor` has passed.
   */
  maximumAttempts?: number;
  /**
   * Whether the action only reads, so that a judge may call it, and a call of it changes nothing that was checked before.
   * Default: false.
   */
  readOnly?: boolean;
  /**
   * Whether a call needs the approval of a person before `run` is called: `true`, or a function of the parameters. A function that
   * throws counts as `true`. Such an action can only be a tool of a step of a loop. Default: false.
   */
  approval?: boolean | ApprovalRule<z.output<Input>>;
  run(input: z.output<Input>, context: ActionContext): Promise<Json> | Json;
}

/** A named function that a worker offers to generators, correctors, evaluators and plan tasks. */
export interface Action extends Omit<ActionDefinition<ZodType>, 'run' | 'approval'> {
  approval?: boolean | ApprovalRule<never>;
  run(input: never, context: ActionContext): Promise<Json> | Json;
}

export interface ActionRegistry {
  readonly names: string[];
  find(name: string): Action | undefined;
  /** Throws `UnknownAction`. */
  get(name: string): Action;
  whyNot(name: string): string;
  /** Asks servers about names such as tools of MCP servers: `find` finds them from then on. Throws when a server is away. */
  learn(names: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface StepArguments extends StepRequest {
  workflowId: string;
}

/** The arguments of an action beside its parameters; the task is a template, or rendered. */
export type ActionCall = Pick<StepArguments, 'state' | 'task' | 'iteration' | 'workflowId'>;

export type ActionUse = Pick<StepContext, 'actions' | 'signal' | 'attempt'>;

export interface AttachmentReader {
  /** @throws AttachmentMissing, and what the storage throws */
  load(reference: AttachmentReference, signal?: AbortSignal): Promise<Uint8Array>;
}

export interface StepContext {
  models: Models;
  actions: ActionRegistry;
  /** Default: inline code is refused. */
  sandbox?: Sandbox;
  /** Default: the worker has no storage. */
  attachments?: AttachmentReader;
  signal: AbortSignal;
  /** Default: the only attempt. */
  attempt?: ActionAttempt;
}

export type Revision = Omit<RevisionRequest, 'attempts'> & {
  attempts?: string[];
  guidance?: string[];
};
