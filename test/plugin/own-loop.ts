/** A workflow of somebody's that has the name of one of ours. */
import { condition, defineSignal, setHandler } from '@temporalio/workflow';

export async function reflectionLoop(): Promise<string[]> {
  const heard: string[] = [];
  let over = false;
  setHandler(defineSignal('temporal_note'), () => void heard.push('temporal_note'));
  setHandler(defineSignal('end'), () => void (over = true));
  await condition(() => over);
  return heard;
}
