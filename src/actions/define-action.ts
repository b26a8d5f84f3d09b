import type { z, ZodType } from 'zod';
import type { Json } from '../domain/base/json';
import type { Action, ActionContext } from './types';

/** An action as its author writes it: `run` is given what `input` parsed. */
export interface ActionDefinition<Input extends ZodType, Output extends ZodType = ZodType> {
  name: string;
  description: string;
  /** Validates the parameters before `run` is called; it is also the tool description for models. */
  input: Input;
  /** Validates the result. */
  output?: Output;
  /** State keys that the action reads. Without it, it gets the spec's state and a digest of the history. */
  needs?: string[];
  /**
   * True: cheap steps run where the workflow runs, as local activities, without a round trip through the task server. For what
   * takes well under a second, costs nothing and may be run again: after a crash of the worker, all of them since the last
   * workflow task are. They cannot be told of an abort before they end. Default: false.
   */
  local?: boolean;
  /**
   * Attempts of a call at most, from 1. An attempt that ended with its worker counts, so 1 means at most once. Not for local actions. Default: a call
   * is tried again after a crash, a timeout, and an `ApplicationFailure` that is retryable, until `timeouts.retryFor` has passed.
   */
  maximumAttempts?: number;
  run(input: z.output<Input>, context: ActionContext): Promise<Json> | Json;
}

/** Defines a function that specs can name. It is registered on the worker; its errors are the step's errors. */
export function defineAction<Input extends ZodType, Output extends ZodType = ZodType>(
  definition: ActionDefinition<Input, Output>,
): Action {
  return definition;
}
