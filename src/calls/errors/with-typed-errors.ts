import type { Client } from '@temporalio/client';
import { CallAbortedError, type ClientCall } from '../../loop/errors/call-errors';
import { ANSWER_MS, type CallOptions, NO_LIMIT_MS } from '../call-options';
import { isClosed } from '../closed-clients';
import { checkProtocolTexts } from './protocol-texts';
import { typedError } from './typed-error';
import { waitForAnswer } from '../waiting-time';

/** The context of calls that all of the SDK's connections have and their common interface does not name. */
interface Scoped {
  callContextStorage?: { getStore(): { deadline?: number | Date; abortSignal?: AbortSignal } | undefined };
}

/** Our own time comes first, since it says what was waited for. */
const LATER_MS = 1_000;
/** One request lasts a minute at most; the SDK cannot send a deadline that is further off than timers reach. */
const ONE_REQUEST_MS = 24 * 3_600_000;

/** The deadline of requests, which each request reads anew; it moves into the past once no caller waits any more. */
class RequestDeadline extends Date {
  isOver = false;

  constructor(readonly latest: number) {
    super(Math.min(latest, Date.now() + ONE_REQUEST_MS));
  }

  override getTime(): number {
    return this.isOver ? 0 : Math.min(this.latest, Date.now() + ONE_REQUEST_MS);
  }
}

/**
 * Returns the signal that a connection gets for a scope. It adds a listener to it for each request and never takes one back,
 * so that a week of polling for a result would pile them up: only the latest request is aborted, since one follows the
 * other. A request that begins when all is over is aborted at once.
 */
function signalForLatest(signal: AbortSignal): AbortSignal {
  let cancel: (() => void) | undefined;
  signal.addEventListener('abort', () => cancel?.(), { once: true });
  const addEventListener = (_type: 'abort', listener: () => void): void => {
    cancel = listener;
    // The connection calls this before it has returned the request.
    if (signal.aborted) queueMicrotask(listener);
  };
  return { aborted: signal.aborted, addEventListener } as unknown as AbortSignal;
}

/**
 * Asks Temporal, for as long as the options say, and gives failures the types that this package documents. `ask` gets a
 * signal that is aborted once no caller waits any more: code that asks repeatedly must check the signal.
 *
 * The SDK's own `withAbortSignal` does not suffice: a worker's connection ignores it, and a request that is being tried
 * again does not hear of it. So the waiting ends here, and the deadline of whatever is still sent is moved into the past.
 */
export async function withTypedErrors<T>(
  temporal: Client,
  call: ClientCall,
  options: CallOptions,
  ask: (signal: AbortSignal) => Promise<T>,
  otherwiseMs = call.kind === 'result' ? NO_LIMIT_MS : ANSWER_MS,
): Promise<T> {
  if (call.workflowId !== undefined) checkProtocolTexts({ workflowId: call.workflowId });
  if (isClosed(temporal.connection)) throw new CallAbortedError(call, undefined, 'before');
  const outer = (temporal.connection as Scoped).callContextStorage?.getStore() ?? {};
  try {
    return await waitForAnswer(call, options, otherwiseMs, (over, timeoutMs) => {
      const deadline = new RequestDeadline(
        Math.min(Date.now() + timeoutMs + LATER_MS, Number(outer.deadline ?? Infinity)),
      );
      over.addEventListener('abort', () => (deadline.isOver = true), { once: true });
      const scope = outer.abortSignal ? AbortSignal.any([over, outer.abortSignal]) : over;
      return temporal.withDeadline(deadline, () => temporal.withAbortSignal(signalForLatest(scope), () => ask(scope)));
    });
  } catch (error) {
    if (outer.abortSignal?.aborted) throw new CallAbortedError(call, outer.abortSignal.reason);
    const typed = typedError(error, call);
    const isCut = typed instanceof CallAbortedError && isClosed(temporal.connection);
    throw isCut ? new CallAbortedError(call, error, 'meanwhile') : typed;
  }
}
