import { ITERATIONS_PER_RUN } from '../../../src/loop/moves/continue-as-new-state';
import { eventually } from '../../support/eventually';
import type { Scenario } from '../scenario';

const never = { type: 'schema', schema: { required: ['never'] } };
const LONG_MS = 120_000;

/** Loops that are longer than a run. */
export const chains: Scenario[] = [
  {
    name: 'chain',
    ends: 'max_iterations',
    spec: {
      generator: { action: 'counts' },
      evaluator: never,
      maxIterations: 2 * ITERATIONS_PER_RUN + 3,
      convergence: false,
    },
  },
  {
    name: 'chain-accepted',
    ends: 'user_accepted',
    lastRunOnly: true,
    spec: {
      generator: { action: 'counts', with: { stuckAt: ITERATIONS_PER_RUN + 3 } },
      evaluator: never,
      maxIterations: 10 * ITERATIONS_PER_RUN,
      convergence: false,
    },
    async meanwhile({ client, workflowId }) {
      const inSecondRun = ITERATIONS_PER_RUN + 2;
      await eventually(
        () => client.progress(workflowId),
        ({ iteration }) => iteration === inSecondRun,
        LONG_MS,
      );
      await client.accept(workflowId, { by: 'reviewer' });
    },
  },
];
