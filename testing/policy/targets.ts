import type { Measures } from './measures';

/** What every policy did, by regime and by policy. */
export type Outcome = Record<string, Record<string, Measures>>;

/** One thing that the loop's decisions must reach, and whether they do. */
export interface Target {
  what: string;
  wanted: string;
  got: string;
  met: boolean;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function worst(outcome: Outcome, value: (regime: Record<string, Measures>) => number): [string, number] {
  return Object.entries(outcome)
    .map(([name, regime]): [string, number] => [name, value(regime)])
    .reduce((low, each) => (each[1] < low[1] ? each : low));
}

/** The regime in which a policy spends the most calls, as a share of best-of-N's. */
export function inDearestRegime(outcome: Outcome, of: (by: Record<string, Measures>) => Measures): [string, number] {
  const [name, spare] = worst(outcome, (by) => 1 - of(by).calls / by['best of N']!.calls);
  return [name, 1 - spare];
}

/** The regime in which the fewest tasks had a good version within three, but for those that are hard. */
export function inWorstRegime(outcome: Outcome, of: (by: Record<string, Measures>) => Measures): [string, number] {
  const others = Object.fromEntries(Object.entries(outcome).filter(([name]) => name !== 'hard' && name !== 'stuck'));
  return worst(others, (by) => of(by).soon);
}

/** The targets of the requirements, on the outcome of the regimes and its mean. */
export function targetsOf(outcome: Outcome, mean: Record<string, Measures>): Target[] {
  const ours = mean['ours']!;
  const simple = mean['until satisfied, best']!;
  const [behind, margin] = worst(outcome, (by) => by['ours']!.good - by['best of N']!.good);
  const [dearest, spent] = inDearestRegime(outcome, (by) => by['ours']!);
  const [slowest, soon] = inWorstRegime(outcome, (by) => by['ours']!);
  const targets: Target[] = [
    {
      what: 'truly good, above "until satisfied, best"',
      wanted: '≥ 0.060',
      got: (ours.good - simple.good).toFixed(3),
      met: ours.good - simple.good >= 0.06,
    },
    {
      what: 'its calls, against those',
      wanted: '≤ 1.20×',
      got: `${(ours.calls / simple.calls).toFixed(2)}×`,
      met: ours.calls <= 1.2 * simple.calls,
    },
    {
      what: 'truly good, against best of N, in the worst regime',
      wanted: '≥ -0.010',
      got: `${margin.toFixed(3)} (${behind})`,
      met: margin >= -0.01,
    },
    {
      what: 'calls, against best of N, in the dearest regime',
      wanted: '≤ 60 %',
      got: `${percent(spent)} (${dearest})`,
      met: spent <= 0.6,
    },
    {
      what: 'truly good, against the oracle',
      wanted: '≥ 93 %',
      got: percent(ours.good / mean['oracle']!.good),
      met: ours.good >= 0.93 * mean['oracle']!.good,
    },
    { what: 'improved', wanted: '≥ 90 %', got: percent(ours.improved!), met: ours.improved! >= 0.9 },
    {
      what: 'satisfactory within 3, in the worst regime but hard and stuck',
      wanted: '≥ 70 %',
      got: `${percent(soon)} (${slowest})`,
      met: soon >= 0.7,
    },
  ];
  const { ordinary, easy } = outcome;
  if (ordinary) {
    const { revised, resolved } = ordinary['ours']! as Required<Measures>;
    targets.push({
      what: 'issues that a revision was told of, resolved in ordinary',
      wanted: '≥ 85 %',
      got: percent(revised),
      met: revised >= 0.85,
    });
    targets.push({
      what: 'issues reported at any time, the last included, resolved in ordinary',
      wanted: '≥ 85 %',
      got: percent(resolved),
      met: resolved >= 0.85,
    });
  }
  for (const [name, regime] of Object.entries({ easy, ordinary })) {
    if (!regime) continue;
    const { efficient } = regime['ours']!;
    targets.push({
      what: `efficient stops in ${name}`,
      wanted: '≥ 90 %',
      got: percent(efficient),
      met: efficient >= 0.9,
    });
  }
  return targets;
}
