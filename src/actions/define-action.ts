import type { z, ZodType } from 'zod';
import type { Json } from '../domain/base/json';
import type { Action, ActionContext } from './types';

/** The definition of an action. `run` is called with the parameters as `input` parsed them. */
export interface ActionDefinition<Input extends ZodType, Output extends ZodType = ZodType> {
  name: string;
  description: string;
  /**
   * Validates the parameters before `run` is called. If the action is used as a tool, the model gets it as a JSON
   * Schema.
   */
  input: Input;
  /** Validates the result. */
  output?: Output;
  /** State keys that the action reads. Default: it gets the spec's state and a digest of the history. */
  needs?: string[];
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

/**
 * Defines a function that specs can name. Register it on the worker (`actions`). An error that it throws is the error
 * of the step.
 */
export function defineAction<Input extends ZodType, Output extends ZodType = ZodType>(
  definition: ActionDefinition<Input, Output>,
): Action {
  return definition;
}
