import type { Json } from '../../lib/json/json';
import { findPlan } from '../../kinds/plan/state/plan-material';

export function planOfOutput({ output, id }: { output: Json; id: string }): Json {
  return findPlan(output, id);
}
