import type { BatchPreparation } from '../../kinds/batch/state/batch';
import type { MovedPart } from '../../loop/spec/short-form';

export interface BatchActivities {
  /** Local. Validates the batch and its loop; throws `InvalidSpec`, `UnknownAction` or `UnknownModel`. */
  prepareBatch(input: { spec: unknown; moved?: MovedPart[] }): Promise<BatchPreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends BatchActivities {}
}
