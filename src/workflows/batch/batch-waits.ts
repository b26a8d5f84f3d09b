import { condition, sleep, workflowInfo } from '@temporalio/workflow';
import { type BatchWaitsState, beginMessage, endMessage } from '../../kinds/batch/state/batch-waits';
import { noteEvent, now } from '../shared/clock';
import { idOfMessage, nextMessageNumber, sendNotification } from '../shared/notifications';

/** The time for which waits are collected: many items may wait at once, and a message for each would be too many. */
const COLLECTING = '1 minute';

/** Notifies of the waits of a batch's items, with a message a minute at most. It ends with the run; a message that was not sent goes to the next. */
export async function sendItemWaits(state: BatchWaitsState): Promise<void> {
  for (;;) {
    await condition(() => state.message !== undefined || state.waits !== undefined);
    if (!state.message) {
      await sleep(COLLECTING, { summary: 'waits of a minute' });
      noteEvent();
    }
    const message = beginMessage(state, { since: now(), number: nextMessageNumber() });
    if (!message) continue;
    const { listed: waits, more, since } = message;
    const batch = workflowInfo().workflowId;
    await sendNotification(
      {
        id: idOfMessage(message),
        type: 'batch.waits',
        timestamp: new Date(since).toISOString(),
        waits,
        batch,
        ...(more > 0 && { more }),
      },
      Infinity,
    );
    endMessage(state);
  }
}
