import pc from 'picocolors';
import type { WaitingFor } from '../../domain/commands/available';
import { typedOffer } from '../steer/typed-offer';
import { command, printable } from './printable';

/** What a run waits for, and what a person may type now. */
export function waitingLines({ what, until, commands }: WaitingFor, workflowId: string): string[] {
  return [
    `${pc.yellow('It waits for')} ${printable(what)}, until ${until}.`,
    ...commands.map((offer) => `  ${command(`npx reflect ${typedOffer(offer, workflowId)}`)}`),
  ];
}

/** Says once of each wait that a run waits. */
export class Waits {
  readonly #told = new Set<string>();

  /** The lines about a wait that was not told of yet; none else. */
  news(waitingFor: WaitingFor | undefined, workflowId: string): string[] {
    const wait = `${workflowId} ${waitingFor?.what} ${waitingFor?.until}`;
    if (waitingFor === undefined || this.#told.has(wait)) return [];
    this.#told.add(wait);
    return ['', ...waitingLines(waitingFor, workflowId), ''];
  }
}
