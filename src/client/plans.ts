import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { InvalidSpecError } from '../domain/errors';
import { planSummary } from '../domain/plan/plan-page';
import type { PlanRunResult, PlanSpec } from '../domain/plan/plan-spec';
import { parsePlanSpec } from '../schemas';
import type { Started } from './standalone';
import type { StartOptions } from './start-options';
import { about } from './typed-error';

/** Starts `planReflection`. */
export async function startPlan(
  { temporal, taskQueue }: { temporal: Client; taskQueue: string },
  spec: PlanSpec,
  { workflowId = `plan-${randomUUID()}` }: StartOptions,
): Promise<Started<PlanRunResult>> {
  const parsed = parsePlanSpec(spec);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const handle = await temporal.workflow.start('planReflection', {
    taskQueue,
    workflowId,
    args: [parsed.spec],
    staticSummary: planSummary(parsed.spec.goal),
  });
  return {
    workflowId,
    runId: handle.firstExecutionRunId,
    result: () => about(workflowId, () => handle.result() as Promise<PlanRunResult>),
  };
}
