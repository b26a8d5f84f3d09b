import { payloadLimit } from '../../../lib/limits/payload-limit';
import { jsonBytes } from '../../../lib/json/json-bytes';
import type { PlanPreparation, PlanSettings } from './plan-spec';
import type { PlanSpec, Task } from '../contract/plan';
import { type RunCircumstances, continuesAsNew } from '../../../lib/base/hand-over';
import { finishedTasks, type PlanState, shouldReplan } from './plan-run';
import { renderCount } from '../../../lib/text/counted';

export type PlanMove =
  | { kind: 'plan' }
  | { kind: 'begin' }
  | { kind: 'start'; task: Task }
  | { kind: 'wait' }
  /** Judge the results of the present plan, and learn from them. */
  | { kind: 'judge' }
  | { kind: 'replan' }
  | { kind: 'hand_over' }
  /** The history has no room for another task, and no run can take over. */
  | { kind: 'full' }
  | { kind: 'end'; success: boolean };

export interface PlanCircumstances extends RunCircumstances {
  isFull: boolean;
  /** The number of tasks that earlier runs of the chain ran. */
  tasksBefore: number;
}

function haveAllSucceeded(state: PlanState): boolean {
  const finished = new Set(finishedTasks(state));
  return state.plan!.tasks.every(({ id }) => finished.has(id));
}

/** A task that succeeded in an earlier plan, failed in this one, or depends on a failed task does not begin. */
function readyTasks(state: PlanState): Task[] {
  const finished = new Set(finishedTasks(state));
  const begun = new Set([...finished, ...state.ran, ...state.running.map(({ id }) => id)]);
  const tasks = state.plan?.tasks ?? [];
  return tasks.filter(({ id, dependsOn = [] }) => !begun.has(id) && dependsOn.every((needed) => finished.has(needed)));
}

export function mayWaitNext(state: PlanState): boolean {
  return readyTasks(state).some(({ step }) => 'loop' in step && step.loop.review !== undefined);
}

/** A run that has done nothing yet does not continue as new, so that a chain gets further; nor does one with a task under way. */
function explainStop(state: PlanState, run: PlanCircumstances): 'hand_over' | 'full' | undefined {
  const hasWorked = state.tasksRun > run.tasksBefore;
  const due = continuesAsNew({ ...run, isSuggested: hasWorked && run.isSuggested }, { mayWait: mayWaitNext(state) });
  if (due) return 'hand_over';
  return hasWorked && run.isFull ? 'full' : undefined;
}

/** Decides the next move. Each move changes the state, waits for a task that is under way, or ends the run. */
export function nextPlanMove(state: PlanState, settings: PlanSettings, run: PlanCircumstances): PlanMove {
  if (!state.plan) return { kind: 'plan' };
  if (state.startedAt === undefined) return { kind: 'begin' };
  const judgement = state.evaluations.length > state.evaluatedBefore ? state.evaluations.at(-1) : undefined;
  if (judgement) {
    const again = !judgement.success && !state.givenUp && shouldReplan(state, judgement, settings);
    return again ? { kind: 'replan' } : { kind: 'end', success: judgement.success };
  }
  const [task] = readyTasks(state);
  const stop = task && explainStop(state, run);
  if (task && !stop) return { kind: 'start', task };
  if (state.running.length > 0) return { kind: 'wait' };
  if (stop) return { kind: stop };
  return settings.enableReflection ? { kind: 'judge' } : { kind: 'end', success: haveAllSucceeded(state) };
}

/** The handover from one run of a plan's chain to the next. */
export interface CarriedPlan {
  state: PlanState;
  preparation: PlanPreparation;
}

function handOverLimit({ preparation }: CarriedPlan): number {
  return payloadLimit({ maximumOutputBytes: preparation.maximumResultBytes });
}

/** Outputs travel whole, because later tasks may read them. The check ends as soon as it can: workflow code has two seconds. */
export function canHandOver(spec: PlanSpec, carried: CarriedPlan): boolean {
  const limit = handOverLimit(carried);
  if (limit === Infinity) return true;
  const { results } = carried.state;
  let left = limit - jsonBytes([spec, { ...carried, state: { ...carried.state, results: [] } }]);
  return left >= 0 && results.every((result, index) => (left -= jsonBytes(result) + (index > 0 ? 1 : 0)) >= 0);
}

/** Explains why a plan ends whose history is full and whose state fits into no new run, and what to do. */
export function explainTooLarge(carried: CarriedPlan): string {
  const { state } = carried;
  const finished = new Set(finishedTasks(state));
  const tasks = state.plan?.tasks ?? [];
  const done = tasks.filter(({ id }) => finished.has(id)).length;
  return (
    `the plan's history is full, and its spec, state and results have more than the ${handOverLimit(carried)} bytes that can be ` +
    `handed over to a new run. ${done} of ${renderCount(tasks.length, 'task')} succeeded; the details of this failure ` +
    'have their results. Let tasks hand back less, such as where they put what they made, or set REFLECT_STORAGE, which ' +
    'keeps large payloads outside of histories'
  );
}
