import { type Flaws, isTrulyGood, trueQuality, type World } from './world';

/** What a policy did on a task: the versions in order, and which one it hands back. */
export interface Episode {
  versions: Flaws[];
  /** Index of the version that is handed back. */
  returned: number;
}

export interface PolicyOptions {
  maxIterations: number;
  qualityThreshold: number;
}

/** Works on a task and stops. */
export type Policy = (world: World, options: PolicyOptions) => Episode;

function bestJudged(scores: readonly (number | undefined)[]): number {
  let best = 0;
  for (const [index, score] of scores.entries()) if ((score ?? -1) > (scores[best] ?? -1)) best = index;
  return best;
}

/** The loop that everybody writes: judge, rewrite, until the judge is satisfied or the limit is reached. */
function untilSatisfied(fallback: 'last' | 'best'): Policy {
  return (world, { maxIterations, qualityThreshold }) => {
    const versions = [world.draft()];
    const scores: (number | undefined)[] = [];
    for (;;) {
      const current = versions.at(-1)!;
      const opinion = world.judge(current);
      scores.push(opinion?.score);
      if ((opinion?.score ?? 0) >= qualityThreshold) return { versions, returned: versions.length - 1 };
      if (versions.length >= maxIterations) {
        return { versions, returned: fallback === 'last' ? versions.length - 1 : bestJudged(scores) };
      }
      versions.push(world.revise(current, opinion?.reported ?? [], 'full_rewrite'));
    }
  };
}

const fixedRounds: Policy = (world, { maxIterations }) => {
  const versions = [world.draft()];
  while (versions.length < maxIterations) {
    const current = versions.at(-1)!;
    versions.push(world.revise(current, world.judge(current)?.reported ?? [], 'full_rewrite'));
  }
  return { versions, returned: versions.length - 1 };
};

const bestOfN: Policy = (world, { maxIterations }) => {
  const versions = Array.from({ length: maxIterations }, () => world.draft());
  return { versions, returned: bestJudged(versions.map((version) => world.judge(version)?.score)) };
};

/** Knows the truth: keeps a revision only if it is no worse, and stops when the version is good. */
const oracle: Policy = (world, { maxIterations }) => {
  const versions = [world.draft()];
  let held = 0;
  while (!isTrulyGood(versions[held]!) && versions.length < maxIterations) {
    const current = versions[held]!;
    const next = world.revise(current, world.judge(current)?.reported ?? [], 'targeted_edit');
    versions.push(next);
    if (trueQuality(next) >= trueQuality(current)) held = versions.length - 1;
  }
  return { versions, returned: held };
};

/** What ours is compared with. */
export const OTHER_POLICIES = {
  'fixed rounds, last': fixedRounds,
  'until satisfied, last': untilSatisfied('last'),
  'until satisfied, best': untilSatisfied('best'),
  'best of N': bestOfN,
  oracle,
} satisfies Record<string, Policy>;
