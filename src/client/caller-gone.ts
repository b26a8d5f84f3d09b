import { CallAbortedError, type ClientCall } from '../loop/errors/call-errors';
import type { ReflectionResult } from '../loop/contract/results';
import type { ReflectionSpecInput } from '../loop/contract/short-spec';
import { WrongKindError } from '../loop/errors/errors';
import { isLoopResult } from '../loop/versions/result';
import type { CallOptions, RunOptions, WaitOptions } from '../calls/call-options';
import { withTypedErrors } from '../calls/errors/with-typed-errors';
import type { Asked } from '../calls/questions';
import type { Place } from '../calls/run-kind';
import { latestRunOf, partsOf, type RunTarget } from '../calls/run-target';
import { commandUpdate, sendUntilTaken } from '../calls/send-command';
import { RUN_KINDS, runsOf } from '../kinds/list/client';

/** Aborts a loop by a signal, which needs no worker, unless it has ended. */
async function sendAbort({ temporal }: Asked, run: RunTarget): Promise<void> {
  const { workflowId } = partsOf(run);
  const { commandId, update } = commandUpdate('abort', { reason: 'the caller that waited for the result went away' });
  const call: ClientCall = { method: 'abort', kind: 'command', workflowId, commandId };
  await withTypedErrors(temporal, call, {}, (over) =>
    sendUntilTaken(call, 'abort', over, async () => {
      const { runId, isRunning } = await latestRunOf(temporal, run);
      if (isRunning) await temporal.workflow.getHandle(workflowId, runId).signal('abort', ...update.args);
    }),
  );
}

/** Waits for the result of a loop. Once the caller's signal ends the waiting, aborts the loop if the caller wants that. */
async function waitOrAbort(
  place: Asked,
  run: RunTarget,
  { onAbort, signal }: WaitOptions,
  wait: () => Promise<ReflectionResult>,
): Promise<ReflectionResult> {
  try {
    return await wait();
  } catch (error) {
    if (onAbort !== 'abort' || !signal?.aborted || !(error instanceof CallAbortedError)) throw error;
    await sendAbort(place, run);
    const { workflowId } = partsOf(run);
    throw new CallAbortedError({ method: error.method, kind: 'result', workflowId, isAborted: true }, signal.reason);
  }
}

/** Throws WrongKindError for the result of another workflow type. A user's own workflow may return that of a loop. */
async function assertIsLoop({ temporal }: Asked, run: RunTarget, result: unknown, options: CallOptions): Promise<void> {
  if (isLoopResult(result)) return;
  const { workflowId } = partsOf(run);
  const call: ClientCall = { method: 'result', kind: 'list', workflowId };
  const { type } = await withTypedErrors(temporal, call, options, () => latestRunOf(temporal, run));
  if (type !== RUN_KINDS.loop.type) throw new WrongKindError(workflowId, type, RUN_KINDS.loop.type);
}

/** Waits for the result of a loop. Throws WrongKindError. */
export async function resultForCaller(
  place: Place,
  run: RunTarget,
  { onAbort, ...options }: WaitOptions,
): Promise<ReflectionResult> {
  const result = await waitOrAbort(place, run, { onAbort, ...options }, () =>
    runsOf(place, 'loop').result(run, options),
  );
  await assertIsLoop(place, run, result, options);
  return result;
}

export async function runForCaller(
  place: Place,
  spec: ReflectionSpecInput,
  { onAbort, ...options }: RunOptions,
): Promise<ReflectionResult> {
  // A start that is interrupted may have started a run, which then has to be aborted: this one takes its time.
  const isWhole = onAbort === 'abort' && !options.signal?.aborted;
  const { signal: _signal, ...uninterrupted } = options;
  const started = await runsOf(place, 'loop').start(spec, isWhole ? uninterrupted : options);
  return waitOrAbort(place, started, { onAbort, ...options }, () => started.result(options));
}
