import type { ReflectionClient } from '../../../../client';
import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { textOf } from '../../../../lib/json/json';
import type { PipelineSpec } from '../../../../kinds/pipeline/contract/pipeline';
import type { PipelineProgress } from '../../../../kinds/pipeline/contract/pipeline-results';
import { pipelineTeller } from './follow-pipeline';
import { pipelineDoing, pipelineStanding, pipelineText } from './pipeline-view';

const runsWithoutState = ({ pipelines }: ReflectionClient) => ({
  result: (id: string) => pipelines.result(id),
  progress: (id: string) => pipelines.progress(id, { state: false }),
});

/** How the command shows and follows a pipeline. */
export const pipelineView: RunView<PipelineSpec> = {
  cancelled: ', and with it the loop that is under way',
  part: 'node',
  shown: makeShow(({ pipelines }) => pipelines, {
    output({ result, progress }) {
      const state = result?.state ?? progress?.state;
      return state && textOf(state);
    },
    noOutput: () => ['Nobody knows the state of the run.', 'Look at the run without --output.'],
    resultText: pipelineText,
    standing: (progress, { elapsed }) => pipelineStanding(progress, elapsed),
  }),
  name: (spec) => spec.name ?? 'pipeline',
  follow: makeFollow(runsWithoutState, {
    teller: pipelineTeller,
    doing: pipelineDoing,
    usage: ({ tokenUsage }) => tokenUsage,
    busyRun: ({ nodes }: PipelineProgress) => nodes.find(({ status }) => status === 'running')?.workflowId,
    isGood: ({ state }) => state['success'] !== false,
    resultText: pipelineText,
  }),
};
