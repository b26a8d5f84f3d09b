import { type InputLimit, inputLimit, payloadLimit } from '../limits/payload-limit';
import type { PipelinePreparation, PipelineSpec, PlannedNode } from './pipeline';
import type { PipelineState } from './pipeline-progress';
import { jsonBytes } from '../base/json-bytes';

/** What one run of a pipeline's chain hands to the next, between two nodes. */
export interface CarriedPipeline {
  state: PipelineState;
  preparation: PipelinePreparation;
}

/** What a call of a pipeline may be given. */
export function pipelineInputLimit({ maximumStateBytes, storedFromBytes }: PipelinePreparation): InputLimit {
  const stored = storedFromBytes === undefined ? {} : { storedFromBytes };
  return inputLimit({ maximumOutputBytes: maximumStateBytes, ...stored });
}

/** Whether what a run would hand over fits into a payload. Its state travels whole: any node to come may read all of it. */
export function canHandOverPipeline(pipeline: PipelineSpec, carried: CarriedPipeline): boolean {
  const limit = payloadLimit({ maximumOutputBytes: carried.preparation.maximumStateBytes });
  return limit === Infinity || jsonBytes([pipeline, carried]) <= limit;
}

/** True for a node that may wait for a person. */
export function mayWait(node: PlannedNode): boolean {
  return node.kind === 'loop' && node.spec.review !== undefined;
}
