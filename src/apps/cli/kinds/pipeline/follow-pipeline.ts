import type { NodeProgress, PipelineProgress } from '../../../../kinds/pipeline/contract/pipeline-results';
import { nodeEndLines, nodeStartLine } from './pipeline-view';
import type { Teller } from '../../follow/follow-parts';

/** Reports node by node what a pipeline does, with the versions of its loops. */
export function pipelineTeller(narrator: Teller): (progress: PipelineProgress) => Promise<void> {
  const told = new Map<string, NodeProgress['status']>();
  return async ({ nodes }) => {
    for (const [index, node] of nodes.entries()) {
      const before = told.get(node.name);
      if (node.status === 'waiting' || before === 'done' || before === 'failed') continue;
      if (before === undefined) narrator.write([nodeStartLine(node, index, nodes.length)]);
      told.set(node.name, node.status);
      if (node.workflowId !== undefined) await narrator.tellVersions(node.workflowId);
      if (node.status !== 'running') narrator.write(nodeEndLines(node));
    }
  };
}
