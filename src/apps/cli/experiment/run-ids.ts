import { createHash } from 'node:crypto';
import { idWords } from '../../../lib/names/id-words';

const HASH_LENGTH = 16;

/**
 * The reuse policy of ids: a result that was paid for is not paid for again; a run that failed, or whose output could not be
 * judged, is started anew.
 */
export const AGAIN = 'ALLOW_DUPLICATE_FAILED_ONLY';

/**
 * Returns the id of a run of an experiment: the same for the same request, so that a command that is given again goes on where it
 * was, and only what changed is run and paid for again.
 *
 * @param names by which a user recognises the run
 * @param content what the run depends on
 */
export function idOfRun(names: readonly string[], content: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([names, content]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const words = names.map(idWords).filter((word) => word !== '');
  return ['experiment', ...words, hash].join('-');
}
