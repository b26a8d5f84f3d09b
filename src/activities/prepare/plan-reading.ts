import type { Json } from '../../lib/json/json';
import { planIn } from '../../kinds/plan/state/plan-material';

/** The plan in what a planner gave. */
export function planOfOutput({ output, id }: { output: Json; id: string }): Json {
  return planIn(output, id);
}
