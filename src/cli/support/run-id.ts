import { randomBytes } from 'node:crypto';
import type { StartOptions } from '../../client';
import { AlreadyEndedError, AlreadyRunningError } from '../../domain/errors/call-errors';

/** With this, an id and its link into the Web UI of a development server take 80 columns. */
const NAME_LENGTH = 20;
/** Lower case letters and digits without those that are mistaken for others: 5 bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const SUFFIX_LENGTH = 8;

function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, NAME_LENGTH).replace(/^-+|-+$/g, '');
}

/** An id that people can read and type: what the run is called, and 40 bits of chance. @param otherwise for a name without letters */
export function newRunId(name: string, otherwise: string): string {
  const chance = [...randomBytes(SUFFIX_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${slug(name) || otherwise}-${chance.join('')}`;
}

/**
 * Starts a run under the id that was asked for, else under a new one. A new id that some run has or had is drawn anew, once: 40
 * bits suffice for a person's runs, and not for a service's.
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
