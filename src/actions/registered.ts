import { ApplicationFailure } from '@temporalio/common';
import { omitUndefined } from '../lib/base/defined';
import { OWN_WORDS } from '../lib/contract/issue-sentence';
import type { Json, JsonObject } from '../lib/json/json';
import type { ActionStep } from '../loop/contract/steps';
import { type RenderedText, renderTemplateAsync, renderValueAsync } from '../lib/templates';
import { ActionFailed } from './action-failed';
import { describeUnapprovable, needsApproval } from './approval';
import type { Action, ActionAttempt, ActionCall, ActionUse, StepArguments, StepContext } from './types';
import type { StepOutcome } from '../loop/step-state/step-call';

export async function runRegisteredAction(
  step: ActionStep,
  input: StepArguments,
  context: StepContext,
): Promise<StepOutcome> {
  const task = await renderTask(input);
  const { value, warnings } = await callAction(step, { ...input, task: task?.text }, context);
  const output = asJson(context.actions.get(step.action), value);
  return { output, warnings: [...(task?.warnings ?? []), ...warnings] };
}

export async function renderTask({ task, state }: ActionCall): Promise<RenderedText | undefined> {
  return task === undefined ? undefined : renderTemplateAsync(task, { state });
}

/** Errors of the action pass as they are: only its author knows whether another attempt helps. Wrong values are `ActionFailed`. */
export async function callAction(
  step: ActionStep,
  call: ActionCall,
  { actions, signal, attempt }: ActionUse,
): Promise<{ value: unknown; warnings: string[] }> {
  await actions.learn([step.action], signal);
  const action = actions.get(step.action);
  signal.throwIfAborted();
  const parameters = await renderValueAsync(step.with ?? {}, { state: call.state, task: call.task });
  const parsed = await validateValue(action, 'input', parameters.value);
  const result = await runAction(action, parsed, call, { signal, attempt });
  return { value: await validateValue(action, 'output', result), warnings: parameters.warnings };
}

/** Reads parameters or a result by an action's schema, if it has one. Throws ActionFailed. */
export async function validateValue(action: Action, phase: 'input' | 'output', value: unknown): Promise<unknown> {
  const parsed = await action[phase]?.safeParseAsync(value, OWN_WORDS);
  if (!parsed) return value;
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'value'}: ${message}`,
  );
  throw new ActionFailed(action.name, phase, `${phase} is not valid: ${problems.join('; ')}`, { cause: parsed.error });
}

/** Models with strict schemas write null for optional parameters: where null is wrong, it counts as left out. Throws ActionFailed. */
export async function readParameters(action: Action, given: unknown): Promise<unknown> {
  const parsed = await action.input.safeParseAsync(given, OWN_WORDS);
  const nulls = (parsed.error?.issues ?? []).filter(({ path }) => path.length > 0 && valueAt(given, path) === null);
  if (nulls.length === 0) return validateValue(action, 'input', given);
  const without: unknown = structuredClone(given);
  for (const { path } of nulls) {
    const holder = valueAt(without, path.slice(0, -1));
    if (typeof holder === 'object' && holder !== null && !Array.isArray(holder))
      Reflect.deleteProperty(holder, path.at(-1)!);
  }
  // A required parameter is as wrong without a value, and the message is about the null.
  const again = await action.input.safeParseAsync(without, OWN_WORDS);
  return again.success ? again.data : validateValue(action, 'input', given);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** Converts a result to the JSON that Temporal would make of it, here, where the error can name the action. */
function asJson(action: Action, result: unknown): Json {
  try {
    const text = JSON.stringify(result) as string | undefined;
    if (text !== undefined) return JSON.parse(text) as Json;
  } catch (error) {
    throw new ActionFailed(action.name, 'output', `output is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new ActionFailed(action.name, 'output', 'returned nothing; return null when there is no output');
}

/** Thrown when an action was begun as often as it may be, and none of these attempts finished. */
export class AttemptsUsedUp extends Error {
  override name = 'AttemptsUsedUp';

  constructor({ name, maximumAttempts = 0 }: Action) {
    const times = maximumAttempts === 1 ? 'once' : `${maximumAttempts} times`;
    const why = 'its worker ended meanwhile, or its time was over';
    super(`action "${name}" may be begun ${times}, and did not come to an end: ${why}`);
  }
}

/** Failures that another attempt could have mended, as the last attempt threw them. */
const lastFailures = new WeakSet<object>();

export function isOutOfAttempts(error: unknown): boolean {
  return error instanceof AttemptsUsedUp || (error instanceof ApplicationFailure && lastFailures.has(error));
}

const UNCOUNTED_ATTEMPT: ActionAttempt = { attempt: 1, idempotencyKey: '' };

/** The last attempt's failure is permanent. Throws ActionFailed for a call that needs approval; AttemptsUsedUp. */
export async function runAction(
  action: Action,
  parameters: unknown,
  { state, task, iteration, workflowId }: ActionCall,
  { signal, attempt = UNCOUNTED_ATTEMPT }: Omit<ActionUse, 'actions'>,
  isApproved = false,
): Promise<unknown> {
  const { maximumAttempts = Infinity } = action;
  if (!isApproved && (await needsApproval(action, parameters))) {
    throw new ActionFailed(action.name, 'input', describeUnapprovable(action.name));
  }
  if (attempt.attempt > maximumAttempts) throw new AttemptsUsedUp(action);
  try {
    const context = { state: stateFor(action, state), task, iteration, workflowId, ...attempt, signal };
    return await action.run(parameters as never, omitUndefined(context));
  } catch (error) {
    if (attempt.attempt < maximumAttempts || !(error instanceof ApplicationFailure) || error.nonRetryable) throw error;
    const { message, type, details, cause } = error;
    const last = ApplicationFailure.create({
      message,
      type: type ?? undefined,
      details: details ?? undefined,
      cause,
      nonRetryable: true,
    });
    lastFailures.add(last);
    throw last;
  }
}

/** Copies the state, so that an action that writes into it changes nothing for later steps. */
function stateFor({ needs }: Action, state: JsonObject): JsonObject {
  if (!needs) return structuredClone(state);
  const wanted = Object.entries(state).filter(([key]) => needs.includes(key) || key.startsWith('reflection_'));
  return structuredClone(Object.fromEntries(wanted));
}
