import type { LoopState } from '../../loop/state/loop-state';
import { warnLast } from '../../loop/state/notes';
import { FULL_HISTORY, type HistoryLength, isFull } from '../../loop/limits/run-account';
import { recordFailure } from '../../loop/moves/transitions';
import { filledHistory } from './scheduling';
import { failedDraftFailure } from './step-failure';

/** A first revision is given the draft, which was given no version: where all have one length, it brings half as much again. */
const REVISION_BYTES = 1.5;

/**
 * Looks whether the history of this run has no space for another step like the largest so far. It is asked before each step.
 * @param full where nothing new begins
 * @returns says why the history is full; undefined: it is not
 */
export function fullHistoryCheck(full: HistoryLength = FULL_HISTORY): () => string | undefined {
  let before: HistoryLength | undefined;
  let largest: HistoryLength = { bytes: 0, events: 0 };
  let steps = 0;
  return () => {
    const now = filledHistory();
    if (before) {
      steps += 1;
      largest = {
        bytes: Math.max(largest.bytes, now.bytes - before.bytes),
        events: Math.max(largest.events, now.events - before.events),
      };
    }
    before = now;
    const bytes = largest.bytes * (steps === 1 ? REVISION_BYTES : 1);
    if (!isFull(now, full, { ...largest, bytes })) return undefined;
    return `the history of the run has ${now.bytes} bytes and ${now.events} events, and no room for another version`;
  };
}

/**
 * Ends the loop with the best of its versions. The server would terminate the run, and all its versions would be lost. Throws
 * ApplicationFailure `OutputTooLarge` if there is none.
 */
export function endForFullHistory(state: LoopState, why: string): void {
  const message = `${why}: let versions be smaller, or set REFLECT_STORAGE, which keeps large payloads outside of histories`;
  const failure = { type: 'OutputTooLarge', message };
  if (state.versions.length === 0) throw failedDraftFailure({ ...failure, details: [] }, 'generator', 1);
  recordFailure(state, failure);
  warnLast(state, `${failure.type}: ${message}`);
}
