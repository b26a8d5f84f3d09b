import { type RunCircumstances, continuesAsNew } from '../base/hand-over';
import type { PopulationState } from './population-state';

/** The next move of a population's run. */
export type PopulationMove =
  /** Wait until senders have the answers that are there for them. */
  | 'answer'
  /** A new run takes over. */
  | 'hand_over'
  /** Deal with the event that waits longest. */
  | 'reflect'
  /** Wait for an event, or until senders have their answers. */
  | 'wait'
  /** The history has no room for another event, and no run can take over. */
  | 'full'
  | 'end';

/** The facts that a workflow knows of its run and that its state does not hold. */
export interface PopulationCircumstances extends RunCircumstances {
  /** Answers whose senders have not got them yet. */
  answers: number;
  /** The history, or what the run holds, grows long. */
  isLong: boolean;
  /** The run dealt with an event. */
  hasWorked: boolean;
  /** The history has no room for another event. */
  isFull: boolean;
  /** No sender waits for an answer. */
  isUnawaited: boolean;
}

/**
 * Whether a new run is due. A run that has done nothing yet deals with an event first, if there is one: otherwise, senders
 * that are faster than the run would make it continue as new over and over again.
 */
function isHandOverDue(state: PopulationState, run: PopulationCircumstances): boolean {
  const { isLong, hasWorked } = run;
  // Nothing is to be done.
  if (state.waiting.length === 0 && state.finishing !== true) return continuesAsNew(run, { isLong, mayWait: true });
  if (!hasWorked || state.waiting.length === 0) return false;
  return continuesAsNew(run, { isLong, mayWait: false });
}

/**
 * Decides what comes next; the only place that does, so that a wait which ends is not begun again. Each move changes the state,
 * waits for a sender, or ends the run. Senders that wait for an answer get it from the run that they sent to.
 */
export function nextPopulationMove(state: PopulationState, run: PopulationCircumstances): PopulationMove {
  if (run.answers > 0) return 'answer';
  if (run.isUnawaited && isHandOverDue(state, run)) return 'hand_over';
  // Where one can take over, it does as soon as those who wait have their answers.
  if (state.waiting.length > 0) return run.hasWorked && run.isFull && !run.fits() ? 'full' : 'reflect';
  return state.finishing ? 'end' : 'wait';
}
