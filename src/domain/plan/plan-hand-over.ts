import type { PlanPreparation } from './plan-spec';
import type { PlanState } from './plan-run';

/** What one run of a plan's chain hands to the next. */
export interface CarriedPlan {
  state: PlanState;
  preparation: PlanPreparation;
}

/** Characters that a run hands over at most, as JSON: a payload ends at 2 MiB, and the spec travels beside it. */
const CARRIED_CHARACTERS = 1024 * 1024;

/**
 * Whether a plan's state may travel to a new run. What tasks made travels whole, because tasks to come may read it; where that is
 * too much, the run goes on as it is, as far as its history allows.
 */
export function canHandOver(carried: CarriedPlan): boolean {
  return JSON.stringify(carried).length <= CARRIED_CHARACTERS;
}
