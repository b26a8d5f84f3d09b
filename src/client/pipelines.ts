import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { InvalidSpecError } from '../domain/errors';
import type { PipelineResult, PipelineSpec } from '../domain/pipeline';
import { pipelineSummary } from '../domain/pipeline-page';
import type { PipelineProgress } from '../domain/pipeline-progress';
import { parsePipeline } from '../schemas';
import { eagerStart } from './eager-start';
import type { RunReference, StartOptions } from './start-options';
import { startListed } from './started-attributes';
import { about } from './typed-error';

/** Where runs are started. */
interface Place {
  temporal: Client;
  taskQueue: string;
}

/** Starts `reflectionPipeline`. */
export async function startPipeline(
  { temporal, taskQueue }: Place,
  pipeline: PipelineSpec,
  { workflowId = `pipeline-${randomUUID()}` }: StartOptions,
): Promise<RunReference> {
  const parsed = parsePipeline(pipeline);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const handle = await startListed(temporal, 'other', (attributes) =>
    temporal.workflow.start('reflectionPipeline', {
      ...eagerStart(temporal),
      ...attributes,
      taskQueue,
      workflowId,
      args: [parsed.pipeline],
      staticSummary: pipelineSummary(parsed.pipeline),
    }),
  );
  return { workflowId, runId: handle.firstExecutionRunId };
}

/** Waits for a pipeline's result. */
export async function pipelineResult({ temporal }: Place, workflowId: string): Promise<PipelineResult> {
  return about(workflowId, () => temporal.workflow.getHandle(workflowId).result() as Promise<PipelineResult>);
}

/** Where a pipeline stands. */
export async function pipelineProgress(
  { temporal }: Place,
  workflowId: string,
  question: { state?: boolean },
): Promise<PipelineProgress> {
  return about(workflowId, () =>
    temporal.workflow.getHandle(workflowId).query<PipelineProgress, [{ state?: boolean }]>('progress', question),
  );
}
