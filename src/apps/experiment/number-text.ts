import type { ArmRow } from './rows';
import type { Rate } from './statistics';
import { roundPercent } from '../../lib/text/percent';

export function renderPercent(share: number): string {
  return String(roundPercent(share));
}

/** Renders a share as it was counted, with its interval: `9/12 (47–91 %)`. */
export function renderRate(rate: Rate | undefined): string {
  return rate ? `${rate.count}/${rate.of} (${renderPercent(rate.low)}–${renderPercent(rate.high)} %)` : '–';
}

/**
 * Renders how often each of some names occurred: `plateau 3×, quality_met 9×`.
 *
 * @param mark before each name
 */
export function renderCounts(all: Record<string, number>, mark = ''): string {
  const counts = Object.entries(all).map(([key, times]) => `${mark}${key} ${times}×`);
  return counts.join(', ') || '–';
}

/** Renders with which version, or which sample, how many cases passed: `version #1 3×, #2 9×`; undefined if none passed. */
export function renderPassedWith({ kind, passedAt }: Pick<ArmRow, 'kind' | 'passedAt'>): string | undefined {
  if (Object.keys(passedAt).length === 0) return undefined;
  return `${kind === 'best-of-n' ? 'sample' : 'version'} ${renderCounts(passedAt, '#')}`;
}
