import { setHandler } from '@temporalio/workflow';
import { COMMAND_NAMES } from '../../loop/base/command-payloads';
import { noteRefused, notForThis } from '../../loop/commands/unsupported';
import { commandDefinition } from '../messages';
import { permanentFailure } from '../shared/step-failure';
import { onceAnActivation } from './once-an-activation';
import { refuseUnknownMessages, takeEarlySignals } from './unknown-messages';

/** A run whose loops take commands, while the run itself refuses them. */
interface RefusingRun {
  what: 'pipeline' | 'plan';
  /** Gets a note of each signal that was refused. */
  state: { refused?: string[] };
  loops(): readonly string[];
  show(): void;
}

/**
 * Refuses commands, which are for a loop: an update is rejected, a signal is noted on the page, with the ids of the loops
 * that run, if there are any.
 */
export function refuseCommands({ what, state, loops, show }: RefusingRun): void {
  const why = (): string => notForThis(what, loops());
  const refuse = (_payload?: unknown): never => {
    throw permanentFailure('CommandRefused', why());
  };
  for (const name of COMMAND_NAMES) setHandler(commandDefinition(name).update, refuse, { validator: refuse });
  const showNews = onceAnActivation(show);
  const note = (name: string): void => {
    state.refused = noteRefused(state.refused, name, why());
    showNews();
  };
  takeEarlySignals({}, note, () => refuseUnknownMessages(why, note));
}
