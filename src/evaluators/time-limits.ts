const LEAST_MILLISECONDS = 200;
const CHARACTERS_A_MILLISECOND = 4_000;

/** Milliseconds. Ordinary checks take a thousandth of it; twice as much may pass if the machine starves the process. */
export function checkTimeLimit(characters: number): number {
  return LEAST_MILLISECONDS + Math.round(characters / CHARACTERS_A_MILLISECOND);
}
