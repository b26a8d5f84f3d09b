import type { Client } from '@temporalio/client';
import { protocolTextProblem } from '../../lib/names/protocol-text';
import { CallAbortedError, type ClientCall, NoAnswerError } from '../../loop/errors/call-errors';
import { InvalidConfigError } from '../../loop/errors/errors';
import { ANSWER_MS, type CallOptions, NO_LIMIT_MS, timeoutOf } from '../call-options';
import { typedError } from './typed-error';

/** Connections that their client closed. */
const closed = new WeakSet<object>();

/** Remembers that a connection is closed: what is sent over it later says so. */
export const markClosed = (connection: object): void => void closed.add(connection);

const isClosed = (connection: object): boolean => closed.has(connection);

/**
 * Checks what becomes strings of the protocol before it is sent: the server answers ids and names that are not UTF-8 with an
 * error of its transport, and some that it takes could never be run.
 * @param texts by the name of their option
 * @throws InvalidConfigError with the path of each mistake
 */
export function checkProtocolTexts(texts: Readonly<Record<string, string | undefined>>): void {
  const problems = Object.entries(texts).flatMap(([option, text]) => {
    const problem = text === undefined ? undefined : protocolTextProblem(text);
    return problem === undefined ? [] : [{ path: `/${option}`, message: problem }];
  });
  if (problems.length > 0) throw new InvalidConfigError(problems);
}

/**
 * Waits for an answer for as long as the options say.
 * @param ask is given a signal that is aborted once no caller waits any more, and the milliseconds for which it is waited
 * @throws NoAnswerError, CallAbortedError, and what `ask` throws
 */
export async function waitForAnswer<T>(
  call: ClientCall,
  options: CallOptions,
  otherwiseMs: number,
  ask: (over: AbortSignal, timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  const timeoutMs = timeoutOf(options, otherwiseMs);
  if (signal?.aborted) throw new CallAbortedError(call, signal.reason);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: Error): void => {
      reject(error);
      over.abort(error);
    };
    if (timeoutMs !== NO_LIMIT_MS) timer = setTimeout(() => end(new NoAnswerError(call, timeoutMs)), timeoutMs);
    onAbort = () => end(new CallAbortedError(call, signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([ended, ask(over.signal, timeoutMs)]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}

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
 * Asks Temporal, for as long as the options say, and gives failures the types that this package documents. `ask` gets a signal
 * that is aborted once no caller waits any more: code that asks repeatedly must check the signal. The SDK's own `withAbortSignal`
 * does not suffice: a worker's connection ignores it, and a request that is being tried again does not hear of it. So the waiting
 * ends here, and the deadline of whatever is still sent is moved into the past.
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
