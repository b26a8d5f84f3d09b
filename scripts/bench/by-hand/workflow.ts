import { proxyActivities } from '@temporalio/workflow';
import type { PlainActivities } from './activities';

/** A loop that somebody would write in a quarter of an hour, with activities of their own. */
export async function plainLoop(options: { iterations: number; heartbeatTimeoutMs: number }): Promise<string> {
  const { write, judge } = proxyActivities<PlainActivities>({
    startToCloseTimeout: '5m',
    heartbeatTimeout: options.heartbeatTimeoutMs,
  });
  let output = await write({ text: 'Write.' });
  for (let iteration = 1; ; iteration += 1) {
    const { valid, reason } = await judge(output);
    if (valid || iteration === options.iterations) return output;
    output = await write({ text: 'Write.', feedback: reason });
  }
}
