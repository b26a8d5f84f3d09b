import type { StepOutcome } from '../../loop/step-state/step-call';
import { permanentFailure } from '../failures';

/** Most bytes of an output. A payload ends at 2 MiB: the SDK would retry a larger result, and pay, for ever. */
export const MAXIMUM_OUTPUT_BYTES = 1_900_000;

/** Outputs that are stored outside need not end at 16 MiB; but workflow code holds whole values, and has 2 s at a time. */
export const EXTERNAL_OUTPUT_BYTES = 16 * 1_024 * 1_024;

/** Checks the size of a result before it leaves the activity. Throws `OutputTooLarge`, not retryable. */
export function assertSmallEnough(outcome: StepOutcome, limit = MAXIMUM_OUTPUT_BYTES): StepOutcome {
  const bytes = Buffer.byteLength(JSON.stringify(outcome) ?? 'null');
  if (bytes <= limit) return outcome;
  const isStored = limit > MAXIMUM_OUTPUT_BYTES;
  const most = isStored ? 'can be handled.' : "fit into a run's history. REFLECT_STORAGE allows more.";
  throw permanentFailure('OutputTooLarge', `The output has ${bytes} bytes; at most ${limit} ${most}`);
}
