import { isCancellation } from '@temporalio/workflow';
import type { HookInput, HookWork } from '../../activities/protocol';
import {
  decisionOf,
  decisionProblem,
  dueHook,
  type HookDecision,
  type HookEvents,
  type HookName,
  waitingEvent,
} from '../../loop/moves/hooks';
import { messageOf } from '../../lib/base/message-of';
import type { WaitRecord } from '../../loop/state/parked-step';
import { idOfMessage } from '../shared/notifications';
import { noteNotified } from '../../loop/state/review-wait';
import { warnAfterwards, recordRuling, noteTimeIsUp } from '../../loop/state/notes';
import type { JsonObject } from '../../lib/json/json';
import type { Hook } from '../../loop/contract/steps';
import { stateForStep } from '../../loop/step-state/project';
import { callInTime } from '../functions/ended-in-time';
import { callActivity, workOfStep, nameOfStep } from '../shared/activity-calls';
import { labelledSummary } from './evaluation-input';
import type { Decision, LoopRun } from './loop-run';
import { budgetedCall } from './step-call';
import { permanentFailure, stepFailureOf } from '../shared/step-failure';
import { RunTimeExceeded } from '../shared/limits-exceeded';

/** Returns whether a loop has hooks: without any, it must do nothing that it did not do before there were hooks. */
export function hasHooks({ spec, hooks }: LoopRun): boolean {
  return spec.hooks !== undefined || hooks !== undefined;
}

function hookInput(
  run: LoopRun,
  step: Exclude<Hook, string> | { action: string },
  name: HookName,
  event: HookEvents[HookName],
  timeoutMs: number,
): HookInput {
  const { spec, state } = run;
  const needed = stateForStep(spec, state, step, spec.actionNeeds, event.iteration);
  // The event has it.
  const { reflection_output: _output, ...rest } = needed;
  const work: HookWork = 'run' in step ? { code: step, timeoutMs } : step;
  return { hook: name, ...work, event: event as unknown as JsonObject, task: spec.task, state: rest };
}

/** Runs the hook of a spec. One that fails leaves the decision to the loop, and a warning in the version. */
async function askHook(run: LoopRun, name: HookName, event: HookEvents[HookName]): Promise<HookDecision> {
  const hook = run.spec.hooks?.[name];
  if (hook === undefined) return 'auto';
  const { settings } = run.spec;
  const step = typeof hook === 'string' ? { action: hook } : hook;
  const called = workOfStep(step);
  const summary = labelledSummary(run.title ?? '', `#${event.iteration} ${name} · ${nameOfStep(step)}`);
  const { how, timeoutMs } = budgetedCall(run, summary, called.action);
  try {
    const input = hookInput(run, step, name, event, timeoutMs(settings.timeouts.stepMs));
    return await callActivity('hook', settings, called, input, { ...how, endsItself: 'run' in step });
  } catch (error) {
    // The wait is over.
    if (name === 'onWaiting' && isCancellation(error)) throw error;
    if (error instanceof RunTimeExceeded) {
      noteTimeIsUp(run.state);
      return 'auto';
    }
    warnAfterwards(run.state, `The hook ${name} failed and was left out: ${stepFailureOf(error, false).message}`);
    return 'auto';
  }
}

function checkDecision(answer: Decision, name: HookName): HookDecision {
  const decision = decisionOf(answer);
  if (decision !== undefined) return decision;
  const message = `The hook ${name} ${decisionProblem(answer)}.`;
  throw permanentFailure('InvalidHook', message);
}

function askFunction(run: LoopRun, name: HookName, event: HookEvents[HookName]): Decision | Promise<Decision> {
  const { hooks } = run;
  const hook = hooks?.[name] as ((event: unknown) => Decision | Promise<Decision>) | undefined;
  if (!hook) return undefined;
  return askInTime(run, () => hook.call(hooks, event));
}

async function askInTime(run: LoopRun, work: () => unknown): Promise<Decision> {
  const { state } = run;
  const { timeLeftMs } = budgetedCall(run, '', undefined).how;
  try {
    return (await callInTime(timeLeftMs, work, (error) => error)) as Decision;
  } catch (error) {
    if (!(error instanceof RunTimeExceeded)) throw error;
    noteTimeIsUp(state);
    return undefined;
  }
}

/** Reports the outcome of the last move to the hooks. The function of a caller has the last word. */
export async function tellHooks(run: LoopRun): Promise<void> {
  const due = dueHook(run.state, run.spec.settings);
  if (!due) return;
  const bySpec = await askHook(run, due.name, due.event);
  const answer = await askFunction(run, due.name, due.event);
  if (due.name !== 'onReflection') return;
  const byFunction = checkDecision(answer, due.name);
  recordRuling(run.state, byFunction === 'auto' ? bySpec : byFunction);
}

export async function callHooksOfWait(run: LoopRun, notice: WaitRecord): Promise<void> {
  const event = waitingEvent(run.state, idOfMessage(notice));
  if (!event || notice.hook) return;
  await askHook(run, 'onWaiting', event);
  try {
    await askFunction(run, 'onWaiting', event);
  } catch (error) {
    if (isCancellation(error)) throw error;
    warnAfterwards(run.state, `The hook onWaiting failed and was left out: ${messageOf(error)}`);
  }
  noteNotified(run.state, notice, 'hook');
}
