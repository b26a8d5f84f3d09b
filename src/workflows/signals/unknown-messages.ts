import { setDefaultSignalHandler, setDefaultUpdateHandler } from '@temporalio/workflow';
import { permanentFailure } from '../shared/step-failure';
import { receiveInBulk } from './bulk-signals';

/**
 * Reports a mistyped name as an unknown message to its sender. Without this a signal of a name that has no handler waits forever,
 * and is shown nowhere. Only for workflows of ours: in a user's own workflow, a name that we do not know may be the user's.
 * @param why describes what is wrong with a name, for users
 * @param note records a signal; an update is refused
 */
export function refuseUnknownMessages(
  why: (name: string) => string,
  note: (name: string, payload: unknown) => void,
): void {
  setDefaultSignalHandler(note);
  setDefaultUpdateHandler((name) => {
    throw permanentFailure('CommandRefused', why(name));
  });
}

/**
 * Sets handlers, for signals in bulk, too, so that signals that arrived before the run's first task are taken in the order of the
 * names, and those of unknown names last. The SDK would look through all of them for each one of them.
 * @param handlers of the signals that the workflow knows, in the order in which early ones are taken
 * @param setUp sets all handlers, and the one of unknown names
 * @param unknown that handler
 */
export function takeEarlySignals(
  handlers: Readonly<Record<string, (payload: unknown) => void>>,
  unknown: (name: string, payload: unknown) => void,
  setUp: () => void,
): void {
  const take = (name: string, payload: unknown): void =>
    Object.hasOwn(handlers, name) ? handlers[name]!(payload) : unknown(name, payload);
  const early = receiveInBulk(take);
  setDefaultSignalHandler((name, payload) => void early.push({ name, payload }));
  for (const [name, handler] of Object.entries(handlers)) {
    for (const signal of early) if (signal.name === name) handler(signal.payload);
  }
  for (const { name, payload } of early) if (!Object.hasOwn(handlers, name)) unknown(name, payload);
  setUp();
}
