import type { Scenario } from '../scenario';
import { answering, bad, good } from './specs';

/** Actions that a spec names as hooks. */
export const hooks: Scenario[] = [
  {
    name: 'action-hooks',
    ends: 'quality_met',
    spec: answering([bad, good], { hooks: { onGeneration: 'advises', onReflection: 'advises' } }),
  },
];
