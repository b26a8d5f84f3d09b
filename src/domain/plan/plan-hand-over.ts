import { payloadLimit } from '../limits/payload-limit';
import { jsonBytes } from '../base/json-bytes';
import { finishedTasks, type PlanState } from './plan-run';
import type { PlanPreparation, PlanSpec } from './plan-spec';

/** What one run of a plan's chain hands to the next. */
export interface CarriedPlan {
  state: PlanState;
  preparation: PlanPreparation;
}

/** Bytes of what a plan hands to a new run at most. */
function handOverLimit({ preparation }: CarriedPlan): number {
  return payloadLimit({ maximumOutputBytes: preparation.maximumResultBytes });
}

/**
 * Whether a plan's state may travel to a new run, beside its spec. What tasks made travels whole, because tasks to come may read
 * it; where that is too much, the run goes on as it is, until its history is full. Looks no further than it must: workflow
 * code has two seconds, and this is asked before each task.
 */
export function canHandOver(spec: PlanSpec, carried: CarriedPlan): boolean {
  const limit = handOverLimit(carried);
  if (limit === Infinity) return true;
  const { results } = carried.state;
  let left = limit - jsonBytes([spec, { ...carried, state: { ...carried.state, results: [] } }]);
  return left >= 0 && results.every((result, index) => (left -= jsonBytes(result) + (index > 0 ? 1 : 0)) >= 0);
}

/** Why a plan ends whose history is full and whose state fits into no new run, and what to do. */
export function tooLargeText(carried: CarriedPlan): string {
  const { state } = carried;
  const finished = new Set(finishedTasks(state));
  const tasks = state.plan?.tasks ?? [];
  const done = tasks.filter(({ id }) => finished.has(id)).length;
  return (
    `the plan's history is full, and its spec, state and results have more than the ${handOverLimit(carried)} bytes that can be ` +
    `handed over to a new run. ${done} of ${tasks.length} tasks succeeded; the details of this failure ` +
    'have their results. Let tasks hand back less, such as where they put what they made, or set REFLECT_STORAGE, which ' +
    'keeps large payloads outside of histories'
  );
}
