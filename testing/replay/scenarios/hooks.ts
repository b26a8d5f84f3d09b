import type { Scenario } from '../scenario';
import { answering, bad, good } from './specs';

/** Actions that a spec names as hooks. */
export const hooks: Scenario[] = [
  {
    name: 'action-hooks',
    ends: 'quality_met',
    spec: answering([bad, good], { hooks: { onGeneration: 'advises', onReflection: 'advises' } }),
  },
  {
    name: 'action-hook-waiting',
    ends: 'stopped',
    spec: answering([bad, bad], {
      maxIterations: 2,
      review: { when: 'every_iteration', timeout: 3_000 },
      hooks: { onWaiting: 'advises' },
    }),
  },
  {
    name: 'action-hook-continues',
    ends: 'max_iterations',
    spec: answering([good, bad], { maxIterations: 2, onFailure: 'return_last', hooks: { onReflection: 'goes-on' } }),
  },
  {
    name: 'action-hook-stops',
    ends: 'stopped',
    spec: answering([bad, bad, good], { hooks: { onReflection: 'ends' } }),
  },
];
