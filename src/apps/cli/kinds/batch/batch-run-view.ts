import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { command } from '../../views/printable';
import type { BatchSpec } from '../../../../kinds/batch/contract/batch';
import { batchDoing, batchStanding, batchText } from './batch-view';
import { countEndedItems } from '../../../../kinds/batch/state/counts';
import type { BatchProgress } from '../../../../kinds/batch/contract/batch-results';
import type { Teller } from '../../follow/follow-parts';

/** The time over which the rate is measured: long enough for slow loops, short enough to show a stop. */
const WINDOW_MS = 60_000;

class Rate {
  #seen: { at: number; ended: number }[] = [];

  /** Items a second over the last minute, at a time in epoch milliseconds; undefined at first. */
  look(progress: BatchProgress, at: number): number | undefined {
    const ended = countEndedItems(progress);
    this.#seen.push({ at, ended });
    while (this.#seen.length > 2 && this.#seen[1]!.at <= at - WINDOW_MS) this.#seen.shift();
    const [first] = this.#seen;
    if (at > first!.at && ended > first!.ended) return ((ended - first!.ended) * 1_000) / (at - first!.at);
    return undefined;
  }
}

function batchTeller({ write }: Teller): (progress: BatchProgress) => Promise<void> {
  let told = -1;
  return (progress) => {
    const tenth = Math.floor((10 * countEndedItems(progress)) / Math.max(1, progress.items));
    if (tenth > told) write([batchStanding(progress)]);
    told = Math.max(told, tenth);
    return Promise.resolve();
  };
}

export const batchView: RunView<BatchSpec> = {
  cancelled: ', and with it the loops that are under way',
  shown: makeShow((client) => client.batches, {
    endSaysAll: true,
    output: () => undefined,
    noOutput: () => ['The results of a batch are those of its items.', 'See `npx reflect batch results ID`.'],
    resultText: batchText,
    standing: (progress, { workflowId }) => [
      batchStanding(progress),
      '',
      `Its results so far: ${command(`npx reflect batch results ${workflowId}`)}`,
    ],
  }),
  name: ({ name }) => name ?? 'batch',
  follow: (...following) => {
    const rate = new Rate();
    const follow = makeFollow((client) => client.batches, {
      teller: batchTeller,
      doing: (progress) => batchDoing(progress, rate.look(progress, Date.now())),
      usage: ({ tokenUsage }) => tokenUsage,
      since: ({ startedAt }) => Date.parse(startedAt),
      isGood: ({ items, passed }) => passed === items,
      resultText: batchText,
    });
    return follow(...following);
  },
};
