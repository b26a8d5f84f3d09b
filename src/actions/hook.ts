import { decisionOf, decisionProblem, type HookDecision, type HookName } from '../loop/moves/hooks';
import type { JsonObject } from '../lib/json/json';
import type { InlineStep } from '../loop/contract/steps';
import { ActionFailed } from './action-failed';
import { CodeFailed, sandboxOf } from './inline-code';
import { renderTask, runAction, validateValue } from './registered';
import type { ActionCall, ActionUse, StepContext } from './types';

export type HookCall = ActionCall & {
  hook: HookName;
  /** Passed on as it is: outputs in it are never read as templates. */
  event: JsonObject;
} & ({ action: string } | { code: InlineStep; timeoutMs: number });

/** Runs a hook, and reads its decision. Throws UnknownAction, CodeFailed, SandboxUnavailable, ActionFailed. */
export async function runHook(
  call: HookCall,
  context: ActionUse & Pick<StepContext, 'sandbox'>,
): Promise<HookDecision> {
  const told = { hook: call.hook, ...call.event };
  if ('code' in call) return runCode(call, told, context);
  const { actions, signal } = context;
  await actions.learn([call.action], signal);
  const action = actions.get(call.action);
  signal.throwIfAborted();
  const task = await renderTask(call);
  const parsed = await validateValue(action, 'input', told);
  const answer = await runAction(action, parsed, { ...call, task: task?.text }, context);
  return readDecision(call.hook, answer, (problem) => new ActionFailed(action.name, 'output', problem));
}

/** Runs the code of a hook with `event` and its keys as variables. Code without a result decides nothing. */
async function runCode(
  { code: { language = 'python', run: code }, hook, state, timeoutMs }: Extract<HookCall, { code: InlineStep }>,
  event: JsonObject,
  { sandbox, signal }: ActionUse & Pick<StepContext, 'sandbox'>,
): Promise<HookDecision> {
  const inputs = { state, event, output: event['output'] ?? null };
  const answer = await sandboxOf(sandbox).run({ language, code, inputs, limits: { timeMs: timeoutMs }, signal });
  return readDecision(hook, answer, (problem) => new CodeFailed(language, 'error', problem));
}

function readDecision(hook: HookName, answer: unknown, failure: (problem: string) => Error): HookDecision {
  if (hook !== 'onReflection') return 'auto';
  const decision = decisionOf(answer);
  if (decision === undefined) throw failure(decisionProblem(answer));
  return decision;
}
