import { ApplicationFailure, proxyActivities, setHandler, defineUpdate } from '@temporalio/workflow';

import type * as activities from './failing-activities';

const { fail } = proxyActivities<typeof activities>({
  startToCloseTimeout: '10s',
  heartbeatTimeout: '5s',
  retry: { maximumAttempts: 2, initialInterval: '10ms' },
});

export const refused = defineUpdate<void, [string]>('refused');

/** Puts the secret everywhere: in an activity's input, result, heartbeat and failure, in an update, in its own failure. */
export async function failing(secret: string): Promise<never> {
  setHandler(refused, (text) => {
    throw ApplicationFailure.create({ message: `refused ${text}` });
  });
  try {
    await fail(secret);
  } catch (error) {
    throw ApplicationFailure.create({ message: `failed with ${secret}`, details: [{ secret }], cause: error as Error });
  }
  throw ApplicationFailure.nonRetryable('it did not fail');
}
