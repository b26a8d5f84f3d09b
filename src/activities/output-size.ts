import { ApplicationFailure } from '@temporalio/common';
import type { StepOutcome } from '../domain/transitions';

/**
 * Bytes of an output at most. A payload ends at 2 MiB; an activity whose result is larger fails in the SDK, which would
 * retry it, and pay, for ever.
 */
export const MAXIMUM_OUTPUT_BYTES = 1_900_000;

/**
 * Checked before the result leaves the activity.
 *
 * @throws ApplicationFailure `OutputTooLarge`, not retryable
 */
export function assertSmallEnough(outcome: StepOutcome): StepOutcome {
  const bytes = Buffer.byteLength(JSON.stringify(outcome) ?? 'null');
  if (bytes <= MAXIMUM_OUTPUT_BYTES) return outcome;
  throw ApplicationFailure.create({
    type: 'OutputTooLarge',
    message: `The output has ${bytes} bytes; at most ${MAXIMUM_OUTPUT_BYTES} fit into a run's history.`,
    nonRetryable: true,
  });
}
