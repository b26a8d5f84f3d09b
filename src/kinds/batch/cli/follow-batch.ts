import { countEndedItems } from '../state/counts';
import type { BatchProgress } from '../contract/batch-results';
import { batchStanding } from './batch-view';
import type { Teller } from '../../../apps/cli/follow/follow-parts';

/** The time over which the rate is measured: long enough for slow loops, short enough to show a stop. */
const WINDOW_MS = 60_000;

/** How fast a batch goes, from what is seen of it. */
export class Rate {
  #seen: { at: number; ended: number }[] = [];

  /**
   * Returns items a second over the last minute; undefined before anything is known.
   *
   * @param at epoch milliseconds
   */
  look(progress: BatchProgress, at: number): number | undefined {
    const ended = countEndedItems(progress);
    this.#seen.push({ at, ended });
    while (this.#seen.length > 2 && this.#seen[1]!.at <= at - WINDOW_MS) this.#seen.shift();
    const [first] = this.#seen;
    if (at > first!.at && ended > first!.ended) return ((ended - first!.ended) * 1_000) / (at - first!.at);
    return undefined;
  }
}

/** Reports in a line how far a batch is, at each tenth. On a terminal a line below shows it all the time. */
export function batchTeller({ write }: Teller): (progress: BatchProgress) => Promise<void> {
  let told = -1;
  return (progress) => {
    const tenth = Math.floor((10 * countEndedItems(progress)) / Math.max(1, progress.items));
    if (tenth > told) write([batchStanding(progress)]);
    told = Math.max(told, tenth);
    return Promise.resolve();
  };
}
