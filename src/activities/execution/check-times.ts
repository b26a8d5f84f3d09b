import type { Json } from '../../lib/json/json';
import type { TimeBudgetExceeded } from '../../lib/threads/time-budget';
import { isLighterThan } from '../../lib/threads/weight';

export const STEP_MILLISECONDS = 2_000;

const EVALUATION_MILLISECONDS = 2_000;
/** The size of outputs that only fit where large payloads are stored outside of histories. */
const LARGE_OUTPUT = 2_000_000;
/** Well below the time that a local activity has. */
const OF_A_LARGE_OUTPUT = 20_000;

/** Milliseconds of a processor that all deterministic evaluators of a version have together. */
export function evaluationTime({ output }: { output: Json }): number {
  return isLighterThan(LARGE_OUTPUT, output) ? EVALUATION_MILLISECONDS : OF_A_LARGE_OUTPUT;
}

export function describeOutOfTime({ message }: TimeBudgetExceeded, name: string, late: string): string {
  const whole = 'which is the time of all deterministic evaluators together';
  return name === late
    ? `with the evaluators before it, it ${message}, ${whole}`
    : `nothing was left for it: the evaluators up to "${late}" ${message}, ${whole}`;
}
