import { requireValid, RunKind } from '../../../calls/run-kind';
import type { PlanSpecInput } from '../contract/plan';
import type { PlanProgress, PlanRunResult } from '../contract/plan-results';
import { renderPlanSummary } from '../page/plan-page';
import { parsePlanSpec } from '../parse/plan';
import { expandPlanSpec } from '../state/plan-spec';

/** Runs of `planReflection`. */
export const planRun = new RunKind<PlanSpecInput, PlanRunResult, PlanProgress>({
  type: 'planReflection',
  prefix: 'plan',
  listedAs: 'other',
  methods: { start: 'plans.start', result: 'plans.result', progress: 'plans.progress' },
  parse: (given) => requireValid(parsePlanSpec(given)).spec,
  expand: expandPlanSpec,
  summary: ({ goal }) => renderPlanSummary(goal),
});
