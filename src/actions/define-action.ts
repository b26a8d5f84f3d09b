import type { ZodType } from 'zod';
import type { Action, ActionDefinition } from './types';

/**
 * Defines a function that specs can name. Register it on the worker (`actions`). An error that it throws is the error
 * of the step.
 */
export function defineAction<Input extends ZodType, Output extends ZodType = ZodType>(
  definition: ActionDefinition<Input, Output>,
): Action {
  return definition;
}
