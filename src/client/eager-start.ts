import { type Client, type InternalConnectionLike, InternalConnectionLikeSymbol } from '@temporalio/client';

/**
 * Asks the server for the first workflow task along with the start, where the client shares its connection with a worker of the
 * same process: that saves the worker a poll. A server that does not know this, or has no such worker, starts as always.
 */
export function eagerStart({ connection }: Client): { requestEagerStart?: true } {
  const { supportsEagerStart } = (connection as InternalConnectionLike)[InternalConnectionLikeSymbol] ?? {};
  return supportsEagerStart ? { requestEagerStart: true } : {};
}
