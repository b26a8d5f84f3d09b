import { InvalidSpecError } from '../../domain/errors/errors';
import type { PipelineResult, PipelineSpec } from '../../domain/pipeline/pipeline';
import { pipelineSummary } from '../../domain/page/pipeline-page';
import { parsePipeline } from '../../schemas';
import type { StartOptions } from '../start-options';
import { type Place, type Started, startRun } from '../start-run';

/** Starts `reflectionPipeline`. */
export async function startPipeline(
  place: Place,
  pipeline: PipelineSpec,
  options: StartOptions,
): Promise<Started<PipelineResult>> {
  const parsed = parsePipeline(pipeline);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const staticSummary = pipelineSummary(parsed.pipeline);
  const start = { method: 'startPipeline', type: 'reflectionPipeline', argument: parsed.pipeline, staticSummary };
  return startRun(place, { ...start, prefix: 'pipeline', listedAs: 'other' }, options);
}
