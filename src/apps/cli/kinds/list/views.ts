import { loopView } from '../../show/loop-view';
import type { RunView } from '../../show/run-view';
import { populationView } from '../agents/population-view';
import { batchView } from '../batch/batch-run-view';
import { pipelineView } from '../pipeline/pipeline-run-view';
import { planView } from '../plan/plan-run-view';
import { correctionView, evaluationView } from '../standalone/standalone-views';
import type { RunKindName } from '../../../../kinds/list/client';

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
