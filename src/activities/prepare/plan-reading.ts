import type { Json } from '../../domain/base/json/json';
import { planIn } from '../../domain/plan/plan-material';

/** The plan in what a planner gave. */
export function planOfOutput({ output, id }: { output: Json; id: string }): Json {
  return planIn(output, id);
}
