import { Connection, type ConnectionOptions } from '@temporalio/client';
import { CallAbortedError, type ClientCall, NoAnswerError } from '../domain/errors/call-errors';
import { type CallOptions, timeoutOf } from './call-options';
import { typedError } from './typed-error';

/** How long a server may take to be there, unless the caller says how long. */
const CONNECT_MS = 10_000;

/** Our own time comes first, since it says what was waited for. */
const LATER_MS = 1_000;

/**
 * Connects to a Temporal server. What does not come about leaves no connection behind.
 *
 * @throws NoAnswerError where no server answers in time, CallAbortedError, ServerRequestError, InvalidConfigError
 */
export async function openConnection(settings: ConnectionOptions, options: CallOptions): Promise<Connection> {
  const call: ClientCall = { method: 'connect', kind: 'connect' };
  const { signal } = options;
  const timeoutMs = timeoutOf(options, CONNECT_MS);
  if (signal?.aborted) throw new CallAbortedError(call, signal.reason);
  const connection = Connection.lazy({ ...settings, connectTimeout: timeoutMs + LATER_MS });
  const ended = new AbortController();
  const over = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswerError(call, timeoutMs)), timeoutMs);
    const onAbort = (): void => reject(new CallAbortedError(call, signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true, signal: ended.signal });
    ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  const connected = connection.ensureConnected();
  try {
    await Promise.race([connected, over]);
    return connection;
  } catch (error) {
    // Closed in the middle of it, it fails, and nobody listens any more.
    connected.catch(() => undefined);
    await connection.close();
    throw typedError(error, call);
  } finally {
    ended.abort();
  }
}
