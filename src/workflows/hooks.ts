import type { HookInput } from '../activities/protocol';
import { callLimits } from '../domain/budget';
import {
  decisionOf,
  decisionProblem,
  dueHook,
  type GenerationEvent,
  type HookDecision,
  type HookEvents,
  type HookName,
  noteHookFailure,
  type ReflectionEvent,
  type RevisionEvent,
  takeDecision,
} from '../domain/hooks';
import type { JsonObject } from '../domain/json';
import { inputLimit } from '../domain/payload-limit';
import { stateForStep } from '../domain/step-inputs';
import { ApplicationFailure } from '@temporalio/workflow';
import { callHook } from './activity-calls';
import { labelled } from './evaluation-input';
import type { LoopRun } from './loop';
import { stepFailureOf } from './step-failure';
import { TimeIsUp } from './time-is-up';

/** Nothing is `auto`: the loop decides. */
type Decision = HookDecision | undefined | void;

/**
 * Functions of the caller's own workflow that a loop calls. They are workflow code: deterministic, and free to call
 * activities or to wait. What they throw ends the loop and is thrown by `reflect`.
 */
export interface ReflectionHooks {
  /** After each output of the generator, before it is judged. */
  onGeneration?(event: GenerationEvent): void | Promise<void>;
  /**
   * After each evaluation. `continue` asks for another version although this one passed or the loop would give up; the limit
   * of iterations and the budget still hold. `stop` ends the loop as `stopped`, unless it ends here for a reason of its own.
   */
  onReflection?(event: ReflectionEvent): Decision | Promise<Decision>;
  /** After each output of the corrector or the built-in revision, before it is judged. */
  onRevision?(event: RevisionEvent): void | Promise<void>;
}

/** True when a loop has hooks: without any, it must do nothing that it did not do before there were hooks. */
export function hasHooks({ spec, hooks }: LoopRun): boolean {
  return spec.hooks !== undefined || hooks !== undefined;
}

function hookInput(run: LoopRun, action: string, name: HookName, event: HookEvents[HookName]): HookInput {
  const { spec, preparation, state } = run;
  const needed = stateForStep(spec, state, { action }, preparation.actionNeeds, event.iteration);
  // The event has it.
  const { reflection_output: _output, ...rest } = needed;
  const task = spec.task === undefined ? {} : { task: spec.task };
  return { hook: name, action, event: event as unknown as JsonObject, ...task, state: rest };
}

/** Runs the action that a spec names. One that fails leaves the decision to the loop, and a warning in the version. */
async function askAction(run: LoopRun, name: HookName, event: HookEvents[HookName]): Promise<HookDecision> {
  const action = run.spec.hooks?.[name];
  if (action === undefined) return 'auto';
  const { settings } = run.preparation;
  const { timeLeftMs } = callLimits(settings.budget, run.state, Date.now());
  const summary = labelled(run.title ?? '', `#${event.iteration} ${name} · ${action}`);
  try {
    const how = { summary, mostBytes: inputLimit(settings), ...(timeLeftMs === undefined ? {} : { timeLeftMs }) };
    return await callHook(settings, hookInput(run, action, name, event), how);
  } catch (error) {
    if (error instanceof TimeIsUp) {
      run.state.timeIsUp = true;
      return 'auto';
    }
    noteHookFailure(run.state, `The hook ${name} failed and was left out: ${stepFailureOf(error, false).message}`);
    return 'auto';
  }
}

function checked(answer: Decision, name: HookName): HookDecision {
  const decision = decisionOf(answer);
  if (decision !== undefined) return decision;
  const message = `The hook ${name} ${decisionProblem(answer)}.`;
  throw ApplicationFailure.create({ type: 'InvalidHook', message, nonRetryable: true });
}

/** Tells the hooks of what the last move brought. The function of a caller has the last word. */
export async function tellHooks(run: LoopRun): Promise<void> {
  const due = dueHook(run.state, run.preparation.settings);
  if (!due) return;
  const { hooks } = run;
  const byAction = await askAction(run, due.name, due.event);
  if (due.name === 'onGeneration') await hooks?.onGeneration?.(due.event);
  if (due.name === 'onRevision') await hooks?.onRevision?.(due.event);
  if (due.name !== 'onReflection') return;
  const byFunction = checked(await hooks?.onReflection?.(due.event), due.name);
  takeDecision(run.state, byFunction === 'auto' ? byAction : byFunction);
}
