import type { Json } from '../../lib/json/json';
import type { PlanPreparation } from '../../kinds/plan/state/plan-spec';
import type { Plan } from '../../kinds/plan/contract/plan';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import type { MovedPart } from '../../loop/spec/short-form';

/**
 * The result of checking a planner's answer: a plan, with the names in it that its worker knows, as `LookedUp` notes them;
 * or all problems of the answer.
 */
export type CheckedPlan = { plan: Plan; known?: string[] } | { problems: SpecProblem[] };

/** The activities of `planReflection` that no other workflow has. */
export interface PlanActivities {
  /** Local. Validates the whole spec; throws `InvalidSpec`, `UnknownAction` or `UnknownModel`. */
  preparePlan(input: { spec: unknown; moved?: MovedPart[] }): Promise<PlanPreparation>;
  /** Local. Reads what a planner gave: a plan that this worker can run, or all that is wrong with it. */
  checkPlan(input: {
    output: Json;
    id: string;
    /** The ids of tasks that are done. */
    finished: string[];
    /** Names that were known where the spec was checked. */
    known?: string[];
  }): Promise<CheckedPlan>;
}

declare module '../protocol' {
  interface ReflectionActivities extends PlanActivities {}
}
