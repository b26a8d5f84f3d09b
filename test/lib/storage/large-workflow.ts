import { proxyActivities } from '@temporalio/workflow';

import type * as activities from './large-activities';

const { produce, measure } = proxyActivities<typeof activities>({
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 2 },
});

/** Lets outputs of so many characters come from activities and go to activities, three in one message; returns the last. */
export async function largeOutputs(length: number, rounds: number): Promise<{ output: string; measured: number[] }> {
  let output = '';
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const produced = await produce(length, round);
    output = produced.output;
    const state = { reflection_output: output };
    measured.push(...(await Promise.all([measure({ state }), measure({ state }), measure({ state })])));
  }
  return { output, measured };
}
