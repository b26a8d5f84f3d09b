import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { noteEvent } from '../shared/clock';
import { RunTimeExceeded } from '../shared/limits-exceeded';

/** Milliseconds that a function has for its end once it is cancelled: `abort` ends a run within 5 s. */
const TO_CLEAN_UP_MS = 3_000;

/** A function may wait for something that no cancellation reaches. `atMost` is no help: timers here are Temporal's. */
function endWithScope<T>(scope: CancellationScope, outer: CancellationScope, work: Promise<T>): Promise<T> {
  const timer = new CancellationScope({ cancellable: true, parent: new CancellationScope({ cancellable: false }) });
  const cutOff = scope.cancelRequested.catch(async (error: Error): Promise<never> => {
    await timer.run(() => sleep(TO_CLEAN_UP_MS, { summary: 'a cancelled function may clean up' }));
    noteEvent();
    if (outer.parent?.consideredCancelled) await work;
    throw error;
  });
  const ended = work.finally(() => timer.cancel());
  // The one that ends second has no listener for its failure.
  cutOff.catch(() => undefined);
  ended.catch(() => undefined);
  return Promise.race([ended, cutOff]);
}

/**
 * Calls a function of the caller's workflow within what the time budget leaves.
 * @param convert makes of what the function threw what is thrown here
 * @throws RunTimeExceeded
 */
export async function callInTime(
  timeLeftMs: number | undefined,
  work: () => unknown,
  convert: (error: unknown, isCancelled: boolean) => unknown,
): Promise<unknown> {
  const outer = CancellationScope.current();
  const began = Date.now();
  const scope = new CancellationScope(
    timeLeftMs === undefined ? undefined : { cancellable: true, timeout: timeLeftMs },
  );
  try {
    return await scope.run(async () => endWithScope(scope, outer, (async () => work())()));
  } catch (error) {
    if (isCancellation(error) && timeLeftMs !== undefined && !outer.consideredCancelled && scope.consideredCancelled) {
      throw new RunTimeExceeded('the time budget is spent');
    }
    throw convert(error, outer.consideredCancelled || scope.consideredCancelled);
  } finally {
    // The time of its end is that of what it waited for. One that waited for nothing is not an event, see `clock`.
    if (Date.now() !== began) noteEvent();
  }
}
