import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;

/** gRPC's status of a call that its caller gave up. */
const CANCELLED = 1;

/** Returns a call that was not made, because the connection is closed. */
function cancelledCall(details: string): Call {
  const call: Partial<Call> = {
    start(metadata, listener) {
      listener?.onReceiveMessage?.(null);
      listener?.onReceiveStatus?.({ code: CANCELLED, details, metadata });
    },
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => 'unknown',
  };
  return call as Call;
}

/** Ends a call on a closed connection as one that was cancelled: gRPC throws there. */
const endOnceClosed: Interceptor = (options, nextCall) => {
  try {
    return nextCall(options) as Call;
  } catch (error) {
    return cancelledCall((error as Error).message);
  }
};

/**
 * Returns the interceptors of a connection, which retry calls as the SDK does. The SDK retries by a timer, and an error that
 * a closed connection throws then is not caught, and ends the process.
 */
export function interceptorsOf({ interceptors }: ConnectionOptions): Interceptor[] {
  return [...(interceptors ?? [makeGrpcRetryInterceptor(defaultGrpcRetryOptions())]), endOnceClosed];
}
