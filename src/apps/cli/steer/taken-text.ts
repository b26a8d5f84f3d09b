import type { Progress } from '../../../loop/contract/results';
import type { WaitingFor } from '../../../loop/contract/waiting';
import type { CommandName, Decision } from '../../../loop/base/command-payloads';
import { command, count, oneLine } from '../views/printable';
import { typedOffer } from './typed-offer';

/** The typed values that the text about a command needs. */
interface Typed {
  iteration?: number;
  iterations?: number;
  decision?: Decision;
}

type Text = (progress: Progress, typed: Typed, workflowId: string) => string;

// A loop inside a user's own workflow answers at once: why it ends is not known then.
const TEXTS: Record<CommandName, Text> = {
  accept({ accepted: taken, best, iteration, convergenceReason }, typed) {
    if (convergenceReason === 'aborted') return 'It was aborted at the same time: no version was accepted.';
    // Before a version was judged, there is no best one: the output that is there is taken.
    const accepted = taken ?? typed.iteration ?? best?.iteration ?? iteration;
    const isBest = accepted === best?.iteration ? ', the best one' : '';
    return accepted === iteration
      ? `Accepted version ${accepted}.`
      : `Accepted version ${accepted}${isBest}; the latest was version ${iteration}.`;
  },
  abort: ({ best, convergenceReason }) =>
    convergenceReason !== undefined && convergenceReason !== 'aborted'
      ? 'It ends as it stood; what it learned may not be kept.'
      : `Aborted${best ? `; the best was version ${best.iteration}` : ''}.`,
  answer: ({ waitingFor }) =>
    waitingFor?.waits ? `Taken. It still waits for ${oneLine(waitingFor.what)}.` : 'Taken; the run goes on.',
  guide: ({ waitingFor }, _given, workflowId) => toldText(workflowId, waitingFor),
  override: () => 'Your version will be judged.',
  extend: ({ maxIterations }, { iterations }) =>
    iterations === undefined ? 'Extended.' : `Extended; it makes at most ${count(maxIterations, 'version')}.`,
  decide: ({ iteration }, { decision }) => `Decided about version ${iteration}: ${decision}.`,
  reflect: ({ iteration }) => `Version ${iteration} will be judged again.`,
};

/** Describes the effect of guidance. A loop whose review still waits after it received guidance is at a limit. */
function toldText(workflowId: string, waitingFor: WaitingFor | undefined): string {
  if (!waitingFor || waitingFor.waits) return 'The next revision will get your text.';
  const extension = waitingFor.commands.find(({ name }) => name === 'extend');
  return extension
    ? `The next revision will get your text once the limit is extended: ${command(`npx reflect ${typedOffer(extension, workflowId)}`)}`
    : 'No revision will get your text: the loop is at a limit that cannot be raised.';
}

/**
 * Returns the sentence for a command that a run has taken.
 *
 * @param progress that it answered with
 */
export function takenText(name: CommandName, progress: Progress, typed: Typed, workflowId: string): string {
  return TEXTS[name](progress, typed, workflowId);
}
