import { z } from 'zod';
import { MEMORY_DEFAULTS } from '../base/defaults';
import type { Infer } from '../../lib/contract/infer';
import { duration, nameText, optional } from '../../lib/contract/values';

const MOST_RECALLED = 50;

export const memory = z.strictObject({
  agent: nameText.describe('Name of the memory. Runs that name the same agent learn from each other.'),
  recall: optional(z.int().min(0).max(MOST_RECALLED), 'Maximum number of insights to recall.', MEMORY_DEFAULTS.recall),
  store: optional(z.boolean(), 'Whether the run stores what it learned.', MEMORY_DEFAULTS.store),
  expiresAfter: optional(
    duration,
    'How long stored insights are recalled. Default: the setting of the worker, or for ever.',
  ),
});

/** The insights that are recalled and kept, and their scope. */
export interface MemorySpec extends Infer<typeof memory> {}
