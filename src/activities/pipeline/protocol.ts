import type { PipelinePreparation } from '../../kinds/pipeline/state/pipeline';
import type { MovedPart } from '../../loop/spec/short-form';

/** The activities of `reflectionPipeline` that no other workflow has. */
export interface PipelineActivities {
  /** Local. Checks a pipeline with all of its nodes as `prepare` does. */
  preparePipeline(input: { pipeline: unknown; moved?: MovedPart[] }): Promise<PipelinePreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends PipelineActivities {}
}
