import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { LARGE_ANSWERS, type TemporalOverrides, temporalSettings } from '../lib/config';
import { omitUndefined } from '../lib/base/defined';
import type { ClientCall } from '../loop/errors/call-errors';
import { type FieldChecks, isAny, PLACE, soundFields } from '../loop/errors/config-fields';
import { closeStorage, dataConverterFrom } from '../lib/storage';
import type { CallOptions } from '../calls/call-options';
import { markClosed, waitForAnswer } from '../calls/errors/with-typed-errors';
import { interceptorsOf } from './closed-calls';
import { typedError } from '../calls/errors/typed-error';

export interface ConnectOptions extends TemporalOverrides, CallOptions {
  /**
   * How payloads are encoded and decoded; it must match that of the workers. Default: as `REFLECT_STORAGE` and
   * `REFLECT_CODEC_KEYS` say. A converter that you pass is not closed with the client.
   */
  dataConverter?: DataConverter;
}

const CHECKS: FieldChecks<ConnectOptions> = { ...PLACE, timeout: isAny, signal: isAny, dataConverter: isAny };

/** How long a server may take to be there, unless the caller says how long. */
const CONNECT_MS = 10_000;

/** Our own time comes first, since it says what was waited for. */
const LATER_MS = 1_000;

/** Sockets of a connection: gRPC leaves those open whose server has not answered yet. */
class OpenedSockets {
  readonly #sockets = new Set<Socket>();
  #isClosed = false;

  add(socket: Socket): void {
    // It is reported before it connects, which a destroyed one would do all the same.
    if (this.#isClosed) process.nextTick(() => socket.destroy());
    else this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
  }

  /** Closes the sockets, and those that are opened later. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

const opening = new AsyncLocalStorage<OpenedSockets>();
subscribe('net.client.socket', (message) => opening.getStore()?.add((message as { socket: Socket }).socket));

/**
 * Connects to a Temporal server. A failure leaves no connection open. Throws NoAnswerError where no server answers in time,
 * CallAbortedError, ServerRequestError, InvalidConfigError.
 */
async function openConnection(settings: ConnectionOptions, options: CallOptions): Promise<Connection> {
  const call: ClientCall = { method: 'connect', kind: 'connect' };
  const opened = new OpenedSockets();
  let connection: Connection | undefined;
  // Of its own, so that no other client of this process shares what is closed.
  const channelArgs = { 'grpc.use_local_subchannel_pool': 1, ...settings.channelArgs };
  const own = { ...settings, channelArgs, interceptors: interceptorsOf(settings) };
  return opening.run(opened, async () => {
    try {
      return await waitForAnswer(call, options, CONNECT_MS, async (_over, timeoutMs) => {
        connection = Connection.lazy({ ...own, connectTimeout: timeoutMs + LATER_MS });
        await connection.ensureConnected();
        return connection;
      });
    } catch (error) {
      opened.close();
      // Not before it has given up by itself: what still waits for a channel has it connect anew when it is closed.
      const close = (): Promise<void> | undefined => connection?.close();
      void connection
        ?.ensureConnected()
        .then(close, close)
        .catch(() => undefined);
      throw typedError(error, call);
    }
  });
}

/**
 * Connects a client as the options say, then as the environment says.
 * @returns it, with what closes all that was opened for it
 */
export async function openClient(
  given: ConnectOptions,
): Promise<{ temporal: Client; taskQueue: string; close(): Promise<void> }> {
  const options: ConnectOptions = soundFields(given, CHECKS);
  const { connection: settings, namespace, taskQueue } = temporalSettings(options);
  const own = options.dataConverter ? undefined : dataConverterFrom(process.env);
  const dataConverter = options.dataConverter ?? own;
  const channelArgs = { ...LARGE_ANSWERS, ...(settings['channelArgs'] as object | undefined) };
  try {
    const connection = await openConnection({ ...settings, channelArgs }, options);
    return {
      temporal: new Client(omitUndefined({ connection, namespace, dataConverter })),
      taskQueue,
      async close() {
        markClosed(connection);
        await connection.close();
        await closeStorage(own);
      },
    };
  } catch (error) {
    await closeStorage(own);
    throw error;
  }
}
