import { setDefaultSignalHandler, setDefaultUpdateHandler } from '@temporalio/workflow';
import { permanentFailure } from '../shared/step-failure';
import { receiveInBulk } from './bulk-signals';

/**
 * Tells who mistypes a name that there is no such message. Without this a signal of a name that nobody handles waits for ever,
 * and is seen nowhere. Only for workflows of ours: in one of somebody else's, a name that we do not know may be theirs.
 *
 * @param why what is wrong with a name, for people
 * @param note takes a signal down; an update is refused
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
 * Sets handlers, for signals in bulk, too, so that signals that came before the run's first task are taken in the order of the names, and those of unknown
 * names last. The SDK would look through all of them for each one of them.
 *
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
