import { eventually } from '../../support/eventually';
import { AWAY } from '../away-memory';
import type { Scenario } from '../scenario';
import { answering, bad, good } from './specs';

const memory = { agent: 'ada' };
const remembering = { world: 'remembering' } as const;

/** Loops that recall what earlier ones learned, and keep what they learn. */
export const memories: Scenario[] = [
  { ...remembering, name: 'memory-kept', ends: 'quality_met', spec: answering([bad, good], { memory }) },
  { ...remembering, name: 'memory-recalled', ends: 'quality_met', spec: answering([good], { memory }) },
  {
    ...remembering,
    name: 'memory-failed',
    ends: 'max_iterations',
    spec: answering([bad], { memory: { ...memory, recall: 0 }, maxIterations: 1 }),
  },
  {
    ...remembering,
    name: 'memory-let-go',
    ends: 'quality_met',
    spec: answering([bad, good], { memory: { agent: AWAY, recall: 0 } }),
    async meanwhile({ client, workflowId }) {
      await eventually(
        () => client.progress(workflowId),
        ({ phase }) => phase === 'remembering',
        30_000,
      );
      await client.guide(workflowId, { text: 'Too late.' }).catch(() => undefined);
      await client.abort(workflowId, { by: 'operator' });
    },
  },
];
