import { ActivityFailure, type ApplicationFailure } from '@temporalio/workflow';
import type { RetryState } from '@temporalio/common';
import { boundedText, FAILURE_CHARACTERS } from '../../loop/evaluation/bounded';
import { detailsOfFailure } from '../../loop/moves/called-workflow';
import { permanentFailure } from '../shared/step-failure';

/** Gives the failure of a called function or workflow the form of a failed activity. */
export function failedCall(called: string, cause: Error | undefined, message = cause?.message): ActivityFailure {
  const retryState = 'NON_RETRYABLE_FAILURE' as RetryState;
  return new ActivityFailure(message, called, undefined, retryState, undefined, cause);
}

/**
 * Returns the failure of a user's workflow or function as this run passes it on. Large
 * details are left out, and so is a token usage that cannot be counted.
 */
export function passOnFailure({ type, message, details }: ApplicationFailure): ApplicationFailure {
  const said = boundedText(message, FAILURE_CHARACTERS);
  return permanentFailure(type ?? 'StepFailed', said, detailsOfFailure(details ?? []));
}
