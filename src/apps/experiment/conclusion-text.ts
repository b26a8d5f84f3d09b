import type { Comparison, Conclusion } from './comparison';
import type { Estimate, Rate } from './statistics';
import { renderCount, renderCountAre } from '../../lib/text/counted';
import { roundPercent } from '../../lib/text/percent';
import type { ArmRow } from './rows';

export function renderPercent(share: number): string {
  return String(roundPercent(share));
}

export function renderRate(rate: Rate | undefined): string {
  return rate ? `${rate.count}/${rate.of} (${renderPercent(rate.low)}–${renderPercent(rate.high)} %)` : '–';
}

export function renderCounts(all: Record<string, number>, mark = ''): string {
  const counts = Object.entries(all).map(([key, times]) => `${mark}${key} ${times}×`);
  return counts.join(', ') || '–';
}

/** Renders with which version, or which sample, how many cases passed: `version #1 3×, #2 9×`; undefined if none passed. */
export function renderPassedWith({ kind, passedAt }: Pick<ArmRow, 'kind' | 'passedAt'>): string | undefined {
  if (Object.keys(passedAt).length === 0) return undefined;
  return `${kind === 'best-of-n' ? 'sample' : 'version'} ${renderCounts(passedAt, '#')}`;
}

/** The number of cases below which an experiment shows large differences only. */
const FEW_CASES = 30;

/** Renders a share, or a difference of shares, in percentage points with its sign. */
export function renderPoints(value: number): string {
  const rounded = roundPercent(value);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)}`;
}

function renderDifference({ value, low, high }: Estimate): string {
  return `${renderPoints(value)} points (95 %: ${renderPoints(low)} to ${renderPoints(high)})`;
}

function renderRatio(ratio: number | null): string {
  return ratio === null ? 'tokens where the other uses none' : `${ratio.toFixed(2)} times the tokens`;
}

const chanceText = (p: number): string => (p < 0.0005 ? 'p < 0.001' : `p ${p.toFixed(3)}`);

const SAID: Readonly<Record<Conclusion, (each: Comparison) => string>> = {
  better: ({ arm, against }) => `${arm} is better than ${against}`,
  worse: ({ arm, against }) => `${arm} is worse than ${against}`,
  undecided: ({ arm, against, difference, cases }) =>
    `${arm} may be ${difference.value > 0 ? 'better' : 'worse'} than ${against}, but ${renderCount(cases, 'case')} ${cases === 1 ? 'does' : 'do'} not show it`,
  cheaper: ({ arm, against }) => `${arm} is cheaper than ${against}, and no difference in quality was found`,
  not_worth_its_cost: ({ arm, against }) =>
    `${arm} is not worth its cost compared with ${against}: no difference in quality was found`,
  no_difference: ({ arm, against }) => `no difference between ${arm} and ${against} was found`,
};

export function renderConclusion(comparison: Comparison): string {
  const { by, difference, tokens, wins, losses, p } = comparison;
  const what = by === 'right' ? 'right' : 'passed';
  const told = `${what} ${renderDifference(difference)}, won ${wins}, lost ${losses}, ${chanceText(p)}`;
  return `${SAID[comparison.conclusion](comparison)}: ${told}; ${renderRatio(tokens)}.`;
}

export function listCautions(compared: readonly Comparison[], sameEvaluators: boolean): string[] {
  const cases = Math.max(0, ...compared.map((each) => each.cases));
  const isByOwn = compared.some(({ by }) => by === 'passed');
  return [
    ...(cases > 0 && cases < FEW_CASES
      ? [`${renderCountAre(cases, 'case')} few: only large differences can be found.`]
      : []),
    ...(isByOwn
      ? [
          '`passed` is what the evaluators of each spec say. Give cases a `reference`, or --judge, to see what is right.',
        ]
      : []),
    ...(isByOwn && !sameEvaluators
      ? ['The specs have different evaluators, so what passes in one need not pass in the other.']
      : []),
  ];
}
