interface ReceivedSignal {
  name: string;
  payload: unknown;
}

type Receiver = (name: string, payload: unknown) => void;

/**
 * Signals of one activation from which on they are taken past the SDK, which spends about half a millisecond of processor on
 * the promises of each: 10,000 that waited for a worker would take all of the 5 s that an activation has. Interceptors of
 * others do not see them then.
 */
export const BULK = 200;

interface Inbox {
  early: ReceivedSignal[];
  receiver?: Receiver;
}

/** Returns the inbox of this run: modules are shared by all runs of a worker, and the SDK's state of a run is its own. */
function inbox(): Inbox {
  const { __TEMPORAL_ACTIVATOR__: run } = globalThis as { __TEMPORAL_ACTIVATOR__?: { reflectionSignals?: Inbox } };
  if (!run) return { early: [] };
  run.reflectionSignals ??= { early: [] };
  return run.reflectionSignals;
}

export function deliver(name: string, payload: unknown): void {
  const { receiver, early } = inbox();
  if (receiver) receiver(name, payload);
  else early.push({ name, payload });
}

/** Sets the receiver of signals that come in bulk. Returns those that arrived before. */
export function receiveInBulk(take: Receiver): ReceivedSignal[] {
  const box = inbox();
  box.receiver = take;
  return box.early.splice(0);
}
