import { z } from 'zod';
import type { PublishedShapes } from '../../../lib/contract/published';
import { optional } from '../../../lib/contract/values';
import { pipelineSpec } from '../contract/pipeline';
import { pipelineProgress, pipelineResult } from '../contract/pipeline-results';
import { buildPipelineJson } from './json-schema';

export const listPipelineShapes = (): PublishedShapes => ({
  pipeline: ['PipelineSpec', 'The argument of reflectionPipeline.', pipelineSpec, () => buildPipelineJson()],
  'pipeline-result': ['PipelineResult', 'The result of reflectionPipeline.', pipelineResult],
  'pipeline-progress-question': [
    'PipelineProgressQuestion',
    'The argument of the query `progress` of reflectionPipeline, which may be left out: whether the state is wanted.',
    z.strictObject({ state: optional(z.boolean(), 'Whether the state is wanted.', true) }),
  ],
  'pipeline-progress': [
    'PipelineProgress',
    'The answer to the query `progress` of reflectionPipeline.',
    pipelineProgress,
  ],
});
