import { randomBytes } from 'node:crypto';
import type { StartOptions } from '../../../client';
import { idWords } from '../../../lib/names/id-words';
import { AlreadyEndedError, AlreadyRunningError } from '../../../loop/errors/call-errors';

/** Lower case letters and digits without those that are mistaken for others: 5 bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const SUFFIX_LENGTH = 8;

/**
 * Creates an id that a user can read and type: the name of the run, and 40 random bits.
 *
 * @param otherwise for a name without letters
 */
function newRunId(name: string, otherwise: string): string {
  const chance = [...randomBytes(SUFFIX_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${idWords(name) || otherwise}-${chance.join('')}`;
}

/**
 * Starts a run under the requested id, else under a new one. A new id that some run has or had is drawn anew, once: 40 bits
 * suffice for a person's runs, and not for a service's.
 */
export async function startWithId<Reference>(
  { asked, name, otherwise }: { asked?: string; name: string; otherwise: string },
  start: (options: StartOptions) => Promise<Reference>,
): Promise<Reference> {
  if (asked !== undefined) return start({ workflowId: asked });
  const once = async () => start({ workflowId: newRunId(name, otherwise), workflowIdReusePolicy: 'REJECT_DUPLICATE' });
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof AlreadyRunningError || error instanceof AlreadyEndedError)) throw error;
    return once();
  }
}
