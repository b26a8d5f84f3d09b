import { setHandler } from '@temporalio/workflow';
import { COMMAND_NAMES } from '../../loop/base/command-payloads';
import { commandDefinition } from '../messages';
import { permanentFailure } from '../shared/step-failure';
import { onceAnActivation } from './once-an-activation';
import { refuseUnknownMessages, takeEarlySignals } from './unknown-messages';

interface RefusingRun {
  what: 'pipeline' | 'plan';
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

const REFUSALS = 5;
const NAME_LENGTH = 40;

/** @param loops ids of the runs of its loops that are under way */
export function notForThis(what: 'pipeline' | 'plan', loops: readonly string[]): string {
  const ids = loops.map((id) => `"${id}"`).join(' or ');
  const advice =
    loops.length === 0 ? 'no loop of it runs now' : `send it to its loop${loops.length > 1 ? 's' : ''} ${ids}`;
  return `a ${what} takes no commands: ${advice}, or cancel the ${what}`;
}

/** Adds a note about a signal that was not for this run; the oldest notes make room. */
export function noteRefused(refused: readonly string[] = [], name: string, why: string): string[] {
  return [...refused, `${name.slice(0, NAME_LENGTH)} was refused: ${why}`].slice(-REFUSALS);
}
