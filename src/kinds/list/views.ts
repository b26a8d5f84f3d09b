import { loopView } from '../../apps/cli/show/loop-view';
import type { RunView } from '../../apps/cli/show/run-view';
import { populationView } from '../agents/cli/population-view';
import { batchView } from '../batch/cli/batch-run-view';
import { pipelineView } from '../pipeline/cli/pipeline-run-view';
import { planView } from '../plan/cli/plan-run-view';
import { correctionView, evaluationView } from '../standalone/cli/standalone-views';
import type { RunKindName } from './client';

/** How the commands show, follow and end runs, by kind. */
export const RUN_VIEWS = {
  loop: loopView,
  pipeline: pipelineView,
  plan: planView,
  agents: populationView,
  batch: batchView,
  evaluation: evaluationView,
  correction: correctionView,
} satisfies Record<RunKindName, RunView<never>>;
