/**
 * Workflows of the harness's own that do what ours must not, so that the server is seen to refuse it and the judge to
 * notice it.
 */
import {
  condition,
  defineSignal,
  defineUpdate,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';

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

/** Starts so many children in one workflow task, on a queue that nobody serves. */
export async function startsChildren(count: number): Promise<void> {
  const { workflowId } = workflowInfo();
  const options = { taskQueue: 'nobody', parentClosePolicy: ParentClosePolicy.TERMINATE };
  const all = Array.from({ length: count }, (_, index) =>
    startChild('waits', { ...options, workflowId: `${workflowId}/${index}` }),
  );
  await Promise.all(all);
}

/** Timers of a workflow task. */
const TIMERS = 1_000;

/** Writes timers into its history for ever. */
export async function fillsEvents(): Promise<void> {
  for (;;) {
    for (let timer = 0; timer < TIMERS; timer += 1) void sleep('1 day');
    await sleep(1);
  }
}

/** Answers at once, or when it is told to go on. */
export const update = defineUpdate<void, ['now' | 'later']>('update');

/** Takes updates. */
export async function takesUpdates(): Promise<void> {
  let told = false;
  setHandler(goOn, () => {
    told = true;
  });
  setHandler(update, async (when) => {
    if (when === 'later') await condition(() => told);
  });
  await condition(() => told);
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
