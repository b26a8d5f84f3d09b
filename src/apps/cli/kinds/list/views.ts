import { loopView } from '../../show/show-loop';
import type { RunView } from '../../show/run-view';
import { populationView } from '../agents/agents-view';
import { batchView } from '../batch/batch-view';
import { pipelineView } from '../pipeline/pipeline-view';
import { planView } from '../plan/plan-view';
import { correctionView, evaluationView } from '../standalone/evaluate-correct-view';
import type { RunKindName } from '../../../../kinds/list/client';

export const RUN_VIEWS = {
  loop: loopView,
  pipeline: pipelineView,
  plan: planView,
  agents: populationView,
  batch: batchView,
  evaluation: evaluationView,
  correction: correctionView,
} satisfies Record<RunKindName, RunView<never>>;
