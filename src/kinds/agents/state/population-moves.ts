import { type RunCircumstances, continuesAsNew } from '../../../lib/base/hand-over';
import type { PopulationState } from './population-state';

export type PopulationMove =
  | 'answer'
  | 'hand_over'
  | 'reflect'
  /** Wait for an event, or until senders have their answers. */
  | 'wait'
  /** The history has no room for another event, and no run can take over. */
  | 'full'
  | 'end';

export interface PopulationCircumstances extends RunCircumstances {
  /** The number of answers that their senders have not received yet. */
  answers: number;
  /** Whether the history, or the state of the run, grows long. */
  isLong: boolean;
  hasWorked: boolean;
  /** Whether the history has no room for another event. */
  isFull: boolean;
  isUnawaited: boolean;
}

/** A run that has done nothing yet takes an event first, or fast senders would make it continue as new for ever. */
function isHandOverDue(state: PopulationState, run: PopulationCircumstances): boolean {
  const { isLong, hasWorked } = run;
  // Nothing is to be done.
  if (state.waiting.length === 0 && state.finishing !== true) return continuesAsNew(run, { isLong, mayWait: true });
  if (!hasWorked || state.waiting.length === 0) return false;
  return continuesAsNew(run, { isLong, mayWait: false });
}

/** The only code that decides it, so that a wait which ends is not begun again. Senders get answers from the run that they sent to. */
export function nextPopulationMove(state: PopulationState, run: PopulationCircumstances): PopulationMove {
  if (run.answers > 0) return 'answer';
  if (run.isUnawaited && isHandOverDue(state, run)) return 'hand_over';
  // A new run takes over, if it can, as soon as waiting senders have their answers.
  if (state.waiting.length > 0) return run.hasWorked && run.isFull && !run.fits() ? 'full' : 'reflect';
  return state.finishing ? 'end' : 'wait';
}
