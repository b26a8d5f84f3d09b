import { eventually } from '../../support/eventually';
import type { Scenario } from '../scenario';
import { answering, bad, good } from './specs';

const world = 'embedded' as const;
const stuck = { generator: { action: 'counts', with: { stuckAt: 1 } } };
const corrected = { corrector: { action: 'repairs' } };

/** Loops inside of workflows of their owner's. */
export const embedded: Scenario[] = [
  {
    name: 'own-pair',
    type: 'ownPair',
    world,
    ends: 'completed',
    spec: {
      specs: [answering([bad, good], { name: 'first' }), answering([bad, good], { name: 'second', ...corrected })],
    },
  },
  {
    name: 'own-ruled',
    type: 'ownRuled',
    world,
    ends: 'stopped',
    spec: { specs: [answering([good, bad, bad, bad], { maxIterations: 4 })], words: ['continue', 'auto', 'stop'] },
  },
  {
    name: 'own-ruled-against-action',
    type: 'ownRuled',
    world,
    ends: 'stopped',
    spec: { specs: [answering([bad, bad, good], { hooks: { onReflection: 'goes-on' } })], words: ['auto', 'stop'] },
  },
  {
    name: 'own-steered',
    type: 'ownSteered',
    world,
    ends: 'user_accepted',
    spec: { specs: [answering([], { generator: { action: 'counts', with: { stuckAt: 2 } } })] },
    meanwhile: async ({ client, workflowId }) => {
      const progress = () => client.progress(workflowId).catch(() => undefined);
      await eventually(progress, (known) => known?.iteration === 1 && known.phase === 'generating');
      await client.guide(workflowId, { text: 'Name somebody.', by: 'recorder' });
      await client.accept(workflowId, { by: 'recorder' });
    },
  },
  {
    name: 'own-caught',
    type: 'ownCaught',
    world,
    ends: 'completed',
    spec: { specs: [answering([bad], { maxIterations: 2, onFailure: 'raise' })] },
  },
  { name: 'own-impatient', type: 'ownImpatient', world, ends: 'completed', spec: { specs: [answering([bad], stuck)] } },
  {
    name: 'own-deaf',
    type: 'ownDeaf',
    world,
    ends: 'completed',
    spec: { specs: [answering([bad, good], { budget: { wallClock: '3s' } }), answering([bad, good])] },
  },
  { name: 'own-sends', type: 'ownSends', world, ends: 'user_accepted', spec: { specs: [answering([bad, good])] } },
];
