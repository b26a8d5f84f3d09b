import type { ZodType } from 'zod';
import type { Json } from '../domain/base/json';
import type { ActionStep } from '../domain/spec/spec';
import { renderTemplateAsync, renderValueAsync } from '../templates/index';
import { ActionFailed } from './action-failed';
import { runAction } from './run-action';
import type { Action, StepContext, StepArguments } from './types';
import type { StepOutcome } from '../domain/step-state/step-call';

/** Runs a registered action as a step; throws what `callAction` throws. */
export async function runRegisteredAction(
  step: ActionStep,
  input: StepArguments,
  context: StepContext,
): Promise<StepOutcome> {
  const task = input.task === undefined ? undefined : await renderTemplateAsync(input.task, { state: input.state });
  const { value, warnings } = await callAction(step, { ...input, task: task?.text }, context);
  const output = asJson(context.actions.get(step.action), value);
  return { output, warnings: [...(task?.warnings ?? []), ...warnings] };
}

/** What an action is called with. */
export interface ActionCall extends Pick<StepArguments, 'state' | 'iteration' | 'workflowId'> {
  /** Rendered. */
  task: string | undefined;
}

/**
 * Calls a registered action. The value is what it returned, checked by the action's own `output` only. Errors of the action
 * itself are passed on as they are, because only its author knows whether they are worth another attempt; wrong parameters
 * and results are `ActionFailed`.
 */
export async function callAction(
  step: ActionStep,
  { state, task, iteration, workflowId }: ActionCall,
  { actions, signal, attempt }: Pick<StepContext, 'actions' | 'signal' | 'attempt'>,
): Promise<{ value: unknown; warnings: string[] }> {
  const action = actions.get(step.action);
  signal.throwIfAborted();
  const parameters = await renderValueAsync(step.with ?? {}, { state, task });
  const parsed = await validated(action, 'input', action.input, parameters.value);
  const call = { state, iteration, workflowId, ...(task === undefined ? {} : { task }) };
  const result = await runAction(action, parsed, call, { signal, ...(attempt && { attempt }) });
  const value = action.output ? await validated(action, 'output', action.output, result) : result;
  return { value, warnings: parameters.warnings };
}

/** Reads a value by an action's schema. @throws ActionFailed */
export async function validated(
  action: Action,
  phase: 'input' | 'output',
  schema: ZodType,
  value: unknown,
): Promise<unknown> {
  const parsed = await schema.safeParseAsync(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'value'}: ${message}`,
  );
  throw new ActionFailed(action.name, phase, `${phase} is not valid: ${problems.join('; ')}`, { cause: parsed.error });
}

/** What Temporal would make of the result, found out here, where the action can be named. */
function asJson(action: Action, result: unknown): Json {
  try {
    const text = JSON.stringify(result) as string | undefined;
    if (text !== undefined) return JSON.parse(text) as Json;
  } catch (error) {
    throw new ActionFailed(action.name, 'output', `output is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new ActionFailed(action.name, 'output', 'returned nothing; return null when there is no output');
}
