import { payloadLimit } from '../payload-limit';
import { jsonBytes } from '../slim-versions';
import type { PlanPreparation, PlanSpec } from './plan-spec';
import type { PlanState } from './plan-run';

/** What one run of a plan's chain hands to the next. */
export interface CarriedPlan {
  state: PlanState;
  preparation: PlanPreparation;
}

/**
 * Whether a plan's state may travel to a new run, beside its spec. What tasks made travels whole, because tasks to come may read
 * it; where that is too much, the run goes on as it is, as far as its history allows.
 */
export function canHandOver(spec: PlanSpec, carried: CarriedPlan): boolean {
  return jsonBytes([spec, carried]) <= payloadLimit({ maximumOutputBytes: carried.preparation.maximumResultBytes });
}
