import type { Json } from '../domain/json';
import { isLighterThan } from '../threads/weight';

/** Milliseconds of a processor for all templates of one step or one judge. */
export const STEP_MILLISECONDS = 2_000;

const EVALUATION_MILLISECONDS = 2_000;
/** Of outputs that only fit where large payloads are stored outside of histories. */
const LARGE_OUTPUT = 2_000_000;
/** Well below the time that a local activity has. */
const OF_A_LARGE_OUTPUT = 20_000;

/** Milliseconds of a processor that all deterministic evaluators of a version have together. */
export function evaluationTime({ output }: { output: Json }): number {
  return isLighterThan(LARGE_OUTPUT, output) ? EVALUATION_MILLISECONDS : OF_A_LARGE_OUTPUT;
}
