import { makeFollow, makeShow, type RunView } from '../../../apps/cli/show/run-view';
import { command } from '../../../apps/cli/views/printable';
import { batchRuns } from '../client/batch-runs';
import type { BatchSpec } from '../contract/batch';
import { batchDoing, batchStanding, batchText } from './batch-view';
import { batchTeller, Rate } from './follow-batch';

/** How the command shows and follows a batch. */
export const batchView: RunView<BatchSpec> = {
  cancelled: ', and with it the loops that are under way',
  shown: makeShow(batchRuns, {
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
    const follow = makeFollow(batchRuns, {
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
