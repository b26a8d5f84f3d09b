/**
 * Workflows of the harness's own that do what ours must not, so that the server is seen to refuse it and the judge to
 * notice it.
 */
import { condition, defineSignal, proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow';

interface ProbeActivities {
  echoes(text: string): Promise<string>;
}

const { echoes } = proxyActivities<ProbeActivities>({ startToCloseTimeout: '1m' });
const { echoes: echoesHere } = proxyLocalActivities<ProbeActivities>({ startToCloseTimeout: '10s' });

export const goOn = defineSignal('goOn');

/** Schedules so many activities of so many bytes in one workflow task. */
export async function schedules(count: number, bytes: number): Promise<number> {
  const texts = Array.from({ length: count }, (_, index) => echoes(String(index).padEnd(bytes, 'x')));
  return (await Promise.all(texts)).length;
}

/** Ends with a result of so many bytes. */
export async function returns(bytes: number): Promise<string> {
  return 'x'.repeat(bytes);
}

/** Fails its workflow task whenever it is told to go on: a plain error is no failure of the run, but of its code. */
export async function breaks(): Promise<string> {
  let told = false;
  setHandler(goOn, () => {
    told = true;
  });
  await condition(() => told);
  throw new Error('this code is broken');
}

/** Fails with a type that no contract knows. */
export async function waits(): Promise<void> {
  let told = false;
  setHandler(goOn, () => {
    told = true;
  });
  await condition(() => told);
}

/** Does nothing wrong. */
export async function passes(): Promise<string> {
  return echoesHere('well');
}
