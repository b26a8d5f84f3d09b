import { type InputLimit, inputLimit, payloadLimit } from '../limits/payload-limit';
import type { PipelinePreparation, PlannedNode } from './pipeline';
import type { PipelineSpec } from '../../contract/runs/pipeline';
import { jsonBytes } from '../base/json/json-bytes';
import { type RunCircumstances, continuesAsNew } from '../base/hand-over';
import type { PipelineState } from './pipeline-progress';

/** What a pipeline does next: the node of an index, or nothing more. */
export type PipelineMove =
  | { kind: 'run'; index: number }
  /** A new run takes over, which begins with the node. */
  | { kind: 'hand_over'; index: number }
  /** The history has no room for another node, and no run can take over. */
  | { kind: 'full'; index: number }
  | { kind: 'end' };

/** What the workflow of a pipeline knows of its run and its state does not say. */
export interface PipelineCircumstances extends RunCircumstances {
  /** The history has no room for another node. */
  isFull: boolean;
  /** Nodes that earlier runs of the chain ran. */
  nodesBefore: number;
  /** Whether a node may wait for a person. */
  mayWait(index: number): boolean;
}

/** Nodes that are done. */
export function nodesDone({ nodes }: PipelineState): number {
  const index = nodes.findIndex(({ status }) => status !== 'done');
  return index < 0 ? nodes.length : index;
}

/**
 * Decides what comes next. A node runs once, in its place. For the length of its history, a run that has done nothing yet hands
 * nothing over, so that a chain gets further with each run. What is full matters only where another node would follow: a
 * pipeline whose last node ended has its result.
 */
export function nextPipelineMove(state: PipelineState, run: PipelineCircumstances): PipelineMove {
  const index = nodesDone(state);
  if (index === state.nodes.length) return { kind: 'end' };
  const hasWorked = index > run.nodesBefore;
  const due = continuesAsNew({ ...run, isSuggested: hasWorked && run.isSuggested }, { mayWait: run.mayWait(index) });
  if (due) return { kind: 'hand_over', index };
  return { kind: hasWorked && run.isFull ? 'full' : 'run', index };
}

/** What one run of a pipeline's chain hands to the next, between two nodes. */
export interface CarriedPipeline {
  state: PipelineState;
  preparation: PipelinePreparation;
}

/** What a call of a pipeline may be given. */
export function pipelineInputLimit({ maximumStateBytes, storedFromBytes }: PipelinePreparation): InputLimit {
  return inputLimit({ maximumOutputBytes: maximumStateBytes, storedFromBytes });
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
