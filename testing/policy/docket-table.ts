import Table from 'cli-table3';
import { measure, type Measures } from './measures';
import { reviewedBy, type ReviewerKind, REVIEWERS } from './reviewers';
import type { Regime } from './regimes';
import type { Target } from './targets';

/** The limit of versions of these loops: so many that their judges decide when they end. */
const MAX_ITERATIONS = 12;

/** What the docket buys and costs, by the kind of judge. */
export type DocketOutcome = Record<ReviewerKind, { without: Measures; with: Measures }>;

/** Lets judges of every kind work on the tasks of a regime, with and without the docket. */
export function measureDocket(regime: Regime, seed: number, qualityThreshold: number): DocketOutcome {
  const options = { maxIterations: MAX_ITERATIONS, qualityThreshold };
  const outcomes = REVIEWERS.map((kind) => {
    const [without, withDocket] = [false, true].map((docket) =>
      measure(reviewedBy(kind, docket), regime, 'llm', seed, options),
    );
    return [kind, { without, with: withDocket }] as const;
  });
  return Object.fromEntries(outcomes) as DocketOutcome;
}

/** Renders what the docket buys and costs. */
export function docketTable(outcome: DocketOutcome): string {
  const table = new Table({
    head: ['judge', 'docket', 'rounds', 'calls', 'tokens', 'true quality', 'truly good'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: ['bold'] },
  });
  for (const [kind, { without, with: withDocket }] of Object.entries(outcome)) {
    for (const [docket, { rounds, calls, tokens, quality, good }] of [
      ['no', without],
      ['yes', withDocket],
    ] as const)
      table.push([
        docket === 'no' ? kind : '',
        docket,
        rounds.toFixed(2),
        calls.toFixed(2),
        tokens.toFixed(0),
        quality?.toFixed(3) ?? '–',
        good.toFixed(3),
      ]);
  }
  return table.toString();
}

/** The share of good outputs that may be lost by chance: two standard errors of a difference in 2,000 tasks are 0.018. */
const GOOD_BY_CHANCE = 0.01;
/** The true quality that may be lost: minor faults that a judge is late to report are left as they are. */
const LEFT_MINOR = 0.01;

/** Lists the targets of the docket: quality is not lower with it, and judges that do not come to an end cost less. */
export function docketTargets(outcome: DocketOutcome): Target[] {
  return Object.entries(outcome).flatMap(([kind, { without, with: withDocket }]) => {
    const quality = (withDocket.quality ?? 0) - (without.quality ?? 0);
    const rounds = withDocket.rounds - without.rounds;
    const good = withDocket.good - without.good;
    return [
      {
        what: `docket, ${kind}: true quality, against none`,
        wanted: `≥ -${LEFT_MINOR}`,
        got: quality.toFixed(3),
        met: quality >= -LEFT_MINOR,
      },
      {
        what: `docket, ${kind}: truly good, against none`,
        wanted: `≥ -${GOOD_BY_CHANCE}`,
        got: good.toFixed(3),
        met: good >= -GOOD_BY_CHANCE,
      },
      ...(kind === 'ordinary'
        ? []
        : [
            {
              what: `docket, ${kind}: rounds, against none`,
              wanted: '< 0',
              got: rounds.toFixed(2),
              met: rounds < 0,
            },
          ]),
    ];
  });
}
