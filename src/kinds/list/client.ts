import { loopRun } from '../../calls/loop-run';
import { populationRun } from '../agents/client/population-run';
import { batchRuns } from '../batch/client/batch-runs';
import { pipelineRun } from '../pipeline/client/pipeline-run';
import { planRun } from '../plan/client/plan-run';
import { correctionRun, evaluationRun } from '../standalone/client/standalone-runs';

/** How the client starts and asks runs, by kind. */
export const RUN_KINDS = {
  loop: loopRun,
  pipeline: pipelineRun,
  plan: planRun,
  agents: populationRun,
  batch: batchRuns,
  evaluation: evaluationRun,
  correction: correctionRun,
};

export type RunKindName = keyof typeof RUN_KINDS;

/** Returns the name of the kind of a workflow type; undefined for the workflows of others. */
export function runKindOf(workflowType: string): RunKindName | undefined {
  const names = Object.keys(RUN_KINDS) as RunKindName[];
  return names.find((name) => RUN_KINDS[name].description.type === workflowType);
}
