import type { NewInsight } from '../../../src/lib/memory/insight';
import { Random } from '../random';

export const TENANT = 'torture';

/** Insights of one write at most. */
const MOST = 3;

/** The insights of a write: the same ones whichever attempt, and whichever process, makes it. */
export function lessonsOf(write: number, seed: number): NewInsight[] {
  return Array.from({ length: Random.of(seed, write).between(1, MOST) }, (_, index) => ({
    text: `lesson ${write}/${index}`,
    agent: `agent ${write % MOST}`,
    importance: 0.5,
    type: 'loop',
    source: 'reflection',
    createdAt: new Date(write * 1_000).toISOString(),
    provenance: { workflowId: 'w', run: `seed ${seed}`, iteration: write, kind: `lesson/${index}` },
  }));
}
