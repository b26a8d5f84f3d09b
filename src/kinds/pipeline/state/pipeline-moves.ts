import { type InputLimit, inputLimit, payloadLimit } from '../../../lib/limits/payload-limit';
import type { PipelinePreparation, PlannedNode } from './pipeline';
import type { PipelineSpec } from '../contract/pipeline';
import { jsonBytes } from '../../../lib/json/json-bytes';
import { type RunCircumstances, continuesAsNew } from '../../../lib/base/hand-over';
import type { PipelineState } from './pipeline-progress';

export type PipelineMove =
  | { kind: 'run'; index: number }
  | { kind: 'hand_over'; index: number }
  /** The history has no room for another node, and no run can take over. */
  | { kind: 'full'; index: number }
  | { kind: 'end' };

export interface PipelineCircumstances extends RunCircumstances {
  isFull: boolean;
  /** The number of nodes that earlier runs of the chain ran. */
  nodesBefore: number;
  mayWait(index: number): boolean;
}

export function countDoneNodes({ nodes }: PipelineState): number {
  const index = nodes.findIndex(({ status }) => status !== 'done');
  return index < 0 ? nodes.length : index;
}

/** A run that has done nothing yet does not continue as new, so that a chain gets further. A full history only matters before a node. */
export function nextPipelineMove(state: PipelineState, run: PipelineCircumstances): PipelineMove {
  const index = countDoneNodes(state);
  if (index === state.nodes.length) return { kind: 'end' };
  const hasWorked = index > run.nodesBefore;
  const due = continuesAsNew({ ...run, isSuggested: hasWorked && run.isSuggested }, { mayWait: run.mayWait(index) });
  if (due) return { kind: 'hand_over', index };
  return { kind: hasWorked && run.isFull ? 'full' : 'run', index };
}

/** The handover from one run of a pipeline's chain to the next, between two nodes. */
export interface CarriedPipeline {
  state: PipelineState;
  preparation: PipelinePreparation;
}

export function pipelineInputLimit({ maximumStateBytes, storedFromBytes }: PipelinePreparation): InputLimit {
  return inputLimit({ maximumOutputBytes: maximumStateBytes, storedFromBytes });
}

/** Whether a handover fits into a payload. The state travels whole: any later node may read all of it. */
export function canHandOverPipeline(pipeline: PipelineSpec, carried: CarriedPipeline): boolean {
  const limit = payloadLimit({ maximumOutputBytes: carried.preparation.maximumStateBytes });
  return limit === Infinity || jsonBytes([pipeline, carried]) <= limit;
}

export function mayWait(node: PlannedNode): boolean {
  return node.kind === 'loop' && node.spec.review !== undefined;
}
