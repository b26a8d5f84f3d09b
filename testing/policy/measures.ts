import { Chance } from './random';
import type { Regime } from './regimes';
import type { Episode, Policy, PolicyOptions } from './policies';
import { type Flaws, isTrulyGood, trueQuality, World } from './world';

/** Iterations within which most tasks should be satisfactory. */
const FEW_ITERATIONS = 3;
/** Scores of the same output may differ by this much. */
const AGREEMENT = 0.1;

/** What a policy did on the tasks of a regime: shares are 0..1; undefined where no task says anything about it. */
export interface Measures {
  /** Absent where nobody could judge. */
  quality?: number;
  good: number;
  /** Versions that were made. */
  rounds: number;
  calls: number;
  tokens: number;
  /** Returned truly better than the draft, among drafts that were not good already. */
  improved?: number;
  /** Had a truly good version within three iterations. */
  soon: number;
  /** Issues that were there when they were reported and are not in what was returned. */
  resolved?: number;
  /** The same, of those that a revision was told of. */
  revised?: number;
  /** Two judgements of what was returned that differ by 0.1 at most. */
  agreed?: number;
  /** Stopped within one iteration of the moment after which true quality never rose again. */
  efficient: number;
}

/** Sums and counts, of which the shares are made. */
class Share {
  private sum = 0;
  private count = 0;

  add(value: number | boolean): void {
    this.sum += Number(value);
    this.count += 1;
  }

  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }
}

/** Index of the version that was the last to be truly better than all before it. */
function lastRise(versions: readonly Flaws[]): number {
  let best = -1;
  let rise = 0;
  for (const [index, version] of versions.entries()) {
    const quality = trueQuality(version);
    if (quality <= best + 1e-9) continue;
    best = quality;
    rise = index;
  }
  return rise;
}

const NAMES = [
  'quality',
  'good',
  'rounds',
  'calls',
  'tokens',
  'improved',
  'soon',
  'resolved',
  'revised',
  'agreed',
  'efficient',
] as const;

function observe(shares: Record<(typeof NAMES)[number], Share>, world: World, episode: Episode): void {
  const { versions } = episode;
  const returned = versions[episode.returned]!;
  shares.quality.add(trueQuality(returned));
  shares.good.add(isTrulyGood(returned));
  shares.rounds.add(versions.length);
  shares.calls.add(world.calls);
  shares.tokens.add(world.tokens);
  if (!isTrulyGood(world.firstDraft)) shares.improved.add(trueQuality(returned) > trueQuality(world.firstDraft));
  shares.soon.add(versions.slice(0, FEW_ITERATIONS).some(isTrulyGood));
  for (const flaw of world.trulyReported) shares.resolved.add(!returned.has(flaw));
  for (const flaw of world.acted) shares.revised.add(!returned.has(flaw));
  const [one, other] = [world.opinion(returned), world.opinion(returned)];
  if (one && other) shares.agreed.add(Math.abs(one.score - other.score) <= AGREEMENT);
  shares.efficient.add(versions.length - 1 <= lastRise(versions) + 1);
}

/** Lets a policy work on every task of a regime. The same seed gives every policy the same tasks. */
export function measure(
  policy: Policy,
  regime: Regime,
  judge: 'llm' | 'criteria',
  firstSeed: number,
  options: PolicyOptions,
): Measures {
  const shares = Object.fromEntries(NAMES.map((name) => [name, new Share()])) as Record<(typeof NAMES)[number], Share>;
  for (let task = 0; task < regime.tasks; task += 1) {
    const world = new World(regime, judge, new Chance(firstSeed + task));
    observe(shares, world, policy(world, options));
  }
  return Object.fromEntries(NAMES.map((name) => [name, shares[name].mean])) as unknown as Measures;
}

/** The mean over regimes, each counting the same. */
export function meanOf(measures: readonly Measures[]): Measures {
  const mean = (name: keyof Measures): number | undefined => {
    const share = new Share();
    for (const each of measures) if (each[name] !== undefined) share.add(each[name]);
    return share.mean;
  };
  return Object.fromEntries(NAMES.map((name) => [name, mean(name)])) as unknown as Measures;
}
