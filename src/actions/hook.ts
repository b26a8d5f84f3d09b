import { decisionOf, decisionProblem, type HookDecision, type HookName } from '../domain/hooks';
import type { JsonObject } from '../domain/json';
import { renderTemplate } from '../templates/index';
import { ActionFailed } from './action-failed';
import { contextFor, validated } from './registered';
import type { StepContext, StepInput } from './types';

/** What a hook's action is given: the event as its parameters, and the context that every action has. */
export type HookCall = Pick<StepInput, 'state' | 'task' | 'iteration' | 'workflowId'> & {
  hook: HookName;
  action: string;
  /** Handed on as it is: outputs in it are never read as templates. */
  event: JsonObject;
};

/**
 * Runs the action that a spec names as a hook, and says what it decided.
 *
 * @throws UnknownAction, ActionFailed, and what the action throws
 */
export async function runHook(call: HookCall, { actions, signal }: StepContext): Promise<HookDecision> {
  const action = actions.get(call.action);
  signal.throwIfAborted();
  const task = call.task === undefined ? undefined : renderTemplate(call.task, { state: call.state }).text;
  const parsed = await validated(action, 'input', action.input, { hook: call.hook, ...call.event });
  const input = { ...call, ...(task === undefined ? {} : { task }) };
  const answer: unknown = await action.run(parsed as never, contextFor(action, input, signal));
  if (call.hook !== 'onReflection') return 'auto';
  const decision = decisionOf(answer);
  if (decision === undefined) throw new ActionFailed(action.name, 'output', decisionProblem(answer));
  return decision;
}
