const LEAST_MILLISECONDS = 200;
const CHARACTERS_A_MILLISECOND = 4_000;

/**
 * Returns the milliseconds that a deterministic check of an output may take. Ordinary ones take a thousandth of it; the
 * limit is for those that were made to never end. Twice this much may pass if the machine starves the process.
 */
export function checkTimeLimit(characters: number): number {
  return LEAST_MILLISECONDS + Math.round(characters / CHARACTERS_A_MILLISECOND);
}
