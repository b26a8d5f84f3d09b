import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { InvalidSpecError } from '../domain/errors';
import { type PlanProgress, planSummary } from '../domain/plan/plan-page';
import type { PlanRunResult, PlanSpec } from '../domain/plan/plan-spec';
import { parsePlanSpec } from '../schemas';
import { eagerStart } from './eager-start';
import type { Started } from './standalone';
import type { StartOptions } from './start-options';
import { startListed } from './started-attributes';
import { about } from './typed-error';

/** Starts `planReflection`. */
export async function startPlan(
  { temporal, taskQueue }: { temporal: Client; taskQueue: string },
  spec: PlanSpec,
  { workflowId = `plan-${randomUUID()}` }: StartOptions,
): Promise<Started<PlanRunResult>> {
  const parsed = parsePlanSpec(spec);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const handle = await startListed(temporal, 'other', (attributes) =>
    temporal.workflow.start('planReflection', {
      ...eagerStart(temporal),
      ...attributes,
      taskQueue,
      workflowId,
      args: [parsed.spec],
      staticSummary: planSummary(parsed.spec.goal),
    }),
  );
  return {
    workflowId,
    runId: handle.firstExecutionRunId,
    result: () => about(workflowId, () => handle.result() as Promise<PlanRunResult>),
  };
}

/** Waits for a plan's result; a long plan is a chain of runs, which is followed to its end. */
export async function planResult({ temporal }: { temporal: Client }, workflowId: string): Promise<PlanRunResult> {
  return about(workflowId, () => temporal.workflow.getHandle(workflowId).result() as Promise<PlanRunResult>);
}

/** Where a plan stands. */
export async function planProgress({ temporal }: { temporal: Client }, workflowId: string): Promise<PlanProgress> {
  return about(workflowId, () => temporal.workflow.getHandle(workflowId).query<PlanProgress>('progress'));
}
