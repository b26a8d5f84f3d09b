import { ApplicationFailure } from '@temporalio/common';
import type { JsonObject } from '../domain/base/json';
import type { Action, ActionAttempt, ActionContext, StepContext, StepArguments } from './types';

/** An action was begun as often as it may be, and none of these attempts came to an end. */
export class AttemptsUsedUp extends Error {
  override name = 'AttemptsUsedUp';

  constructor({ name, maximumAttempts = 0 }: Action) {
    super(
      `action "${name}" may be begun ${maximumAttempts === 1 ? 'once' : `${maximumAttempts} times`}, and did not come to an end: ` +
        'its worker ended meanwhile, or its time was over',
    );
  }
}

/** Where nobody counts attempts, there is one. */
const ONLY: ActionAttempt = { attempt: 1, idempotencyKey: '' };

type Given = Pick<StepArguments, 'state' | 'task' | 'iteration' | 'workflowId'>;

function contextFor(
  action: Action,
  { state, task, iteration, workflowId }: Given,
  { signal, attempt = ONLY }: Pick<StepContext, 'signal' | 'attempt'>,
): ActionContext {
  return {
    state: stateFor(action, state),
    ...(task === undefined ? {} : { task }),
    iteration,
    workflowId,
    ...attempt,
    signal,
  };
}

/**
 * Runs an action with parameters that were checked. What the last attempt fails with is permanent.
 *
 * @throws AttemptsUsedUp, and what the action throws
 */
export async function runAction(
  action: Action,
  parameters: unknown,
  given: Given,
  { signal, attempt = ONLY }: Pick<StepContext, 'signal' | 'attempt'>,
): Promise<unknown> {
  const { maximumAttempts = Infinity } = action;
  if (attempt.attempt > maximumAttempts) throw new AttemptsUsedUp(action);
  try {
    return await action.run(parameters as never, contextFor(action, given, { signal, attempt }));
  } catch (error) {
    if (attempt.attempt < maximumAttempts || !(error instanceof ApplicationFailure) || error.nonRetryable) throw error;
    const { message, type, details, cause } = error;
    throw ApplicationFailure.create({
      message,
      nonRetryable: true,
      ...(type == null ? {} : { type }),
      ...(details == null ? {} : { details }),
      ...(cause ? { cause } : {}),
    });
  }
}

/** A copy, so that an action that writes into its state changes nothing for later steps. */
function stateFor({ needs }: Action, state: JsonObject): JsonObject {
  if (!needs) return structuredClone(state);
  const wanted = Object.entries(state).filter(([key]) => needs.includes(key) || key.startsWith('reflection_'));
  return structuredClone(Object.fromEntries(wanted));
}
