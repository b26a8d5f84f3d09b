import { Connection, type ConnectionOptions } from '@temporalio/client';
import type { ClientCall } from '../domain/errors/call-errors';
import type { CallOptions } from './call-options';
import { typedError } from './typed-error';
import { whileWaited } from './waiting-time';

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
  let connection: Connection | undefined;
  try {
    return await whileWaited(call, options, CONNECT_MS, async (_over, timeoutMs) => {
      connection = Connection.lazy({ ...settings, connectTimeout: timeoutMs + LATER_MS });
      await connection.ensureConnected();
      return connection;
    });
  } catch (error) {
    await connection?.close();
    throw typedError(error, call);
  }
}
