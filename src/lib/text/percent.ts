export function roundPercent(share: number, digits = 0): number {
  return Math.round(share * 10 ** (digits + 2)) / 10 ** digits;
}

/** Rounds a share down to whole percent, so that 100 means all. */
export function floorPercent(share: number): number {
  return Math.floor(share * 100);
}
