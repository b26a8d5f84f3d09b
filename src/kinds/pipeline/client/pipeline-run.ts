import { requireValid, RunKind } from '../../../calls/run-kind';
import type { PipelineSpec } from '../contract/pipeline';
import type { PipelineProgress, PipelineResult } from '../contract/pipeline-results';
import { renderPipelineSummary } from '../page/pipeline-page';
import { parsePipeline } from '../parse/pipeline';
import { expandPipeline } from '../state/pipeline';

/** Runs of `reflectionPipeline`. */
export const pipelineRun = new RunKind<PipelineSpec, PipelineResult, PipelineProgress>({
  type: 'reflectionPipeline',
  prefix: 'pipeline',
  listedAs: 'other',
  methods: { start: 'pipelines.start', result: 'pipelines.result', progress: 'pipelines.progress' },
  parse: (given) => requireValid(parsePipeline(given)).pipeline,
  expand: expandPipeline,
  summary: renderPipelineSummary,
});
