import type { Arm } from './arms';
import { type CaseOutcome, isDecisive } from './outcome';
import { type Estimate, mcNemar, estimateMean } from './statistics';

export type Conclusion = 'better' | 'worse' | 'undecided' | 'cheaper' | 'not_worth_its_cost' | 'no_difference';

/** The comparison of an arm with another one, on the cases that both did. */
export interface Comparison {
  arm: string;
  against: string;
  cases: number;
  /** The measure of the comparison: `right` if a reference or a held-out judge decides, else `passed`. */
  by: 'right' | 'passed';
  /** The share of such cases, less that of the other arm. */
  difference: Estimate;
  /** Cases in which only the one arm succeeded, and in which only the other did. */
  wins: number;
  losses: number;
  /** The probability of a division as uneven as this if both were equally good (McNemar, exact). */
  p: number;
  /** Tokens of the arm, divided by those of the other one; null where only the other one used none. */
  tokens: number | null;
  /** Model calls of the arm, divided by those of the other one; null where only the other one used none. */
  calls: number | null;
  conclusion: Conclusion;
}

/** The probability below which a difference counts as real: 5 %, as usual. */
const SIGNIFICANT = 0.05;
/** The ratio of tokens from which an arm counts as dearer than another. */
const DEARER = 1.1;

const sum = (outcomes: readonly CaseOutcome[], of: 'totalTokens' | 'modelCalls'): number =>
  outcomes.reduce((total, { usage }) => total + usage[of], 0);

function conclude({ low, high }: Estimate, p: number, tokens: number | null): Conclusion {
  const isShown = p < SIGNIFICANT;
  if (isShown && low > 0) return 'better';
  if (isShown && high < 0) return 'worse';
  // The bootstrap alone would trust a few cases.
  if (low > 0 || high < 0) return 'undecided';
  if (tokens === null || tokens > DEARER) return 'not_worth_its_cost';
  return tokens < 1 / DEARER ? 'cheaper' : 'no_difference';
}

/**
 * Compares two arms on the cases that both did, whether their runs failed or not, and that could be judged. Undefined when
 * there are none. A difference is reported only if both the paired bootstrap and McNemar's test find it.
 */
export function compare(
  { name: arm }: Pick<Arm, 'name'>,
  { name: against }: Pick<Arm, 'name'>,
  outcomes: readonly CaseOutcome[],
  seed: number,
): Comparison | undefined {
  const others = new Map(outcomes.filter((each) => each.arm === against).map((each) => [each.case, each]));
  const done = outcomes.flatMap((one) => {
    const other = one.arm === arm ? others.get(one.case) : undefined;
    return other ? [[one, other] as const] : [];
  });
  const by = done.some((pair) => pair.some(({ right }) => right !== undefined)) ? 'right' : 'passed';
  const pairs = done.filter((pair) => pair.every((each) => isDecisive(each, by)));
  if (pairs.length === 0) return undefined;
  const differences = pairs.map(([one, other]) => Number(one[by] ?? false) - Number(other[by] ?? false));
  const wins = differences.filter((each) => each > 0).length;
  const losses = differences.filter((each) => each < 0).length;
  const ratio = (of: 'totalTokens' | 'modelCalls'): number | null => {
    const own = sum(
      pairs.map(([one]) => one),
      of,
    );
    const base = sum(
      pairs.map(([, other]) => other),
      of,
    );
    if (base === 0) return own === 0 ? 1 : null;
    return own / base;
  };
  const difference = estimateMean(differences, seed);
  const [p, tokens] = [mcNemar(wins, losses), ratio('totalTokens')];
  const conclusion = conclude(difference, p, tokens);
  return {
    arm,
    against,
    cases: pairs.length,
    by,
    difference,
    wins,
    losses,
    p,
    tokens,
    calls: ratio('modelCalls'),
    conclusion,
  };
}

/** Compares each spec with each baseline, and each later spec with the first one. */
export function compareArms(arms: readonly Arm[], outcomes: readonly CaseOutcome[], seed: number): Comparison[] {
  const loops = arms.filter(({ kind }) => kind === 'loop');
  const baselines = arms.filter(({ kind }) => kind !== 'loop');
  return loops.flatMap((arm, index) =>
    [...baselines, ...(index === 0 ? [] : loops.slice(0, 1))].flatMap((against) => {
      const found = compare(arm, against, outcomes, seed);
      return found ? [found] : [];
    }),
  );
}
