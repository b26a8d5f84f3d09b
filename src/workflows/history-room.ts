import { FULL_HISTORY, type HistoryLength, isFull } from '../domain/run-account';
import { historyLength } from './scheduling';

/** Whether the history of this run has no room for another step like the largest so far. */
export interface HistoryRoom {
  /** Asked before each step. Why there is no room; undefined: there is. */
  whyFull(): string | undefined;
}

/** @param full where nothing new begins */
export function historyRoom(full: HistoryLength = FULL_HISTORY): HistoryRoom {
  let before: HistoryLength | undefined;
  let largest: HistoryLength = { bytes: 0, events: 0 };
  return {
    whyFull() {
      const now = historyLength();
      if (before) {
        largest = {
          bytes: Math.max(largest.bytes, now.bytes - before.bytes),
          events: Math.max(largest.events, now.events - before.events),
        };
      }
      before = now;
      if (!isFull(now, full, largest)) return undefined;
      return `the history of the run has ${now.bytes} bytes and ${now.events} events, and no room for another version`;
    },
  };
}
