import type { Rate } from './statistics';

/** A share in whole percent. */
export function percentText(share: number): string {
  return String(Math.round(share * 100));
}

/** A share as it was counted, with its interval: `9/12 (47–91 %)`. */
export function rateText(rate: Rate | undefined): string {
  return rate ? `${rate.count}/${rate.of} (${percentText(rate.low)}–${percentText(rate.high)} %)` : '–';
}

/** How often each of some names came: `plateau 3×, quality_met 9×`. @param mark before each name */
export function countsText(all: Record<string, number>, mark = ''): string {
  const counts = Object.entries(all).map(([key, times]) => `${mark}${key} ${times}×`);
  return counts.join(', ') || '–';
}
