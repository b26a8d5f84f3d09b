import type { StartOptions } from '../../../client';
import { idWords } from '../../../lib/names/id-words';
import { randomSuffix } from '../../../calls/random-suffix';
import { AlreadyEndedError, AlreadyRunningError } from '../../../loop/errors/call-errors';

/** 40 random bits. */
const SUFFIX_LENGTH = 8;

/**
 * Starts a run under the requested id, else under a new one: the name of the run, and random letters. A new id that some run
 * has or had is drawn anew, once: 40 bits suffice for a person's runs, and not for a service's.
 */
export async function startWithId<Reference>(
  { asked, name, otherwise }: { asked?: string; name: string; otherwise: string },
  start: (options: StartOptions) => Promise<Reference>,
): Promise<Reference> {
  if (asked !== undefined) return start({ workflowId: asked });
  const words = idWords(name) || otherwise;
  const once = async () =>
    start({ workflowId: `${words}-${randomSuffix(SUFFIX_LENGTH)}`, workflowIdReusePolicy: 'REJECT_DUPLICATE' });
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof AlreadyRunningError || error instanceof AlreadyEndedError)) throw error;
    return once();
  }
}
