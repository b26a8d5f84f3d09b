import { ApplicationFailure, setDefaultSignalHandler, setDefaultUpdateHandler } from '@temporalio/workflow';

/**
 * Tells who mistypes a name that there is no such message. Without this a signal of a name that nobody handles waits for ever,
 * and is seen nowhere. Only for workflows of ours: in one of somebody else's, a name that we do not know may be theirs.
 *
 * @param why what is wrong with a name, for people
 * @param note takes a signal down; an update is refused
 */
export function refuseUnknownMessages(
  why: (name: string) => string,
  note: (name: string, payload: unknown, why: string) => void,
): void {
  setDefaultSignalHandler((name, payload) => note(name, payload, why(name)));
  setDefaultUpdateHandler((name) => {
    throw ApplicationFailure.create({ type: 'CommandRefused', message: why(name), nonRetryable: true });
  });
}
