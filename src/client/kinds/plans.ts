import { InvalidSpecError } from '../../domain/errors/errors';
import { planSummary } from '../../domain/page/plan-page';
import type { PlanRunResult, PlanSpec } from '../../domain/plan/plan-spec';
import { parsePlanSpec } from '../../schemas';
import type { StartOptions } from '../start-options';
import { type Place, type Started, startRun } from '../start-run';

/** Starts `planReflection`. */
export async function startPlan(place: Place, spec: PlanSpec, options: StartOptions): Promise<Started<PlanRunResult>> {
  const parsed = parsePlanSpec(spec);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const staticSummary = planSummary(parsed.spec.goal);
  const start = { method: 'startPlan', type: 'planReflection', argument: parsed.spec, staticSummary };
  return startRun(place, { ...start, prefix: 'plan', listedAs: 'other' }, options);
}
