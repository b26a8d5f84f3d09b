import type { PipelinePreparation } from '../../kinds/pipeline/state/pipeline';

/** The activities of `reflectionPipeline` that no other workflow has. */
export interface PipelineActivities {
  /** Local. Checks a pipeline with all of its nodes as `prepare` does. */
  preparePipeline(input: { pipeline: unknown }): Promise<PipelinePreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends PipelineActivities {}
}
