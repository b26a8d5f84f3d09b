import type { BatchPreparation } from '../../kinds/batch/state/batch';

/** The activities of `reflectionBatch` that no other workflow has. */
export interface BatchActivities {
  /** Local. Validates the batch and its loop; throws `InvalidSpec`, `UnknownAction` or `UnknownModel`. */
  prepareBatch(input: { spec: unknown }): Promise<BatchPreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends BatchActivities {}
}
