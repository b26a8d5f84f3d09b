import type { PipelineState } from './pipeline-progress';

/** What a pipeline does next: the node of an index, or nothing more. */
export type PipelineMove =
  | { kind: 'run'; index: number }
  /** The history has no room for another node. */
  | { kind: 'full'; index: number }
  | { kind: 'end' };

/**
 * Decides what comes next. A node runs once, in its place. What is full matters only where another node would follow: a pipeline
 * whose last node ended has its result.
 *
 * @param isFull the history has no room for another node
 */
export function nextPipelineMove({ nodes }: PipelineState, isFull: boolean): PipelineMove {
  const index = nodes.findIndex(({ status }) => status !== 'done');
  if (index < 0) return { kind: 'end' };
  return { kind: isFull && index > 0 ? 'full' : 'run', index };
}
