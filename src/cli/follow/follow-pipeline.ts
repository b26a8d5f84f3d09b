import type { ReflectionClient, RunReference } from '../../client';
import type { PipelineResult } from '../../domain/pipeline/pipeline';
import type { NodeProgress, PipelineProgress } from '../../domain/pipeline/pipeline-progress';
import { nodeEndLines, nodeStartLine } from '../views/pipeline-view';
import { Narrator, type Teller, watchRun } from './watch-run';

/** Says node by node what a pipeline does, with the versions of its loops. */
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

/** Follows a pipeline to its end. Stops asking, without touching the run, when `signal` aborts; it rejects then. */
export async function followPipeline(
  client: ReflectionClient,
  { workflowId }: RunReference,
  news: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<{ result: PipelineResult; progress: PipelineProgress | undefined }> {
  const narrator = new Narrator(client, news);
  const watched = {
    workflowId,
    result: client.pipelineResult(workflowId),
    look: () => client.pipelineProgress(workflowId, { state: false }),
    tell: pipelineTeller(narrator),
    busyRun: ({ nodes }: PipelineProgress) => nodes.find(({ status }) => status === 'running')?.workflowId,
  };
  return watchRun(client, narrator, watched, signal);
}
