import { z } from 'zod';
import { BLOCKERS } from '../base/choices';
import type { Infer } from '../../lib/contract/infer';
import { optional } from '../../lib/contract/values';

// Parts of results. They may gain fields, so none of these shapes refuses a field that it does not know.

export const blocker = z.enum(BLOCKERS);
/** The kind of what keeps every revision from repairing an issue. */
export type Blocker = z.infer<typeof blocker>;

export const BLOCKER =
  'What keeps every revision from repairing the issue, so that a person has to act: `information` that is missing, a `decision`, a `permission`, ' +
  'something `external` that has to happen first, or a `contradiction` in the task.';

export const blockerCheck = z.object({
  confirmed: z.boolean().describe('Whether nothing but a person helps; false: a revision may help.'),
  by: optional(z.string(), 'Name of the judge that was asked about it; left out if no model reported the issues.'),
  reason: optional(z.string(), 'Its reason, or why it could not say.'),
});

/** The check of a version of which every serious issue has a blocker. */
export interface BlockerCheck extends Infer<typeof blockerCheck> {}

export const need = z.object({
  blocker: blocker.describe(BLOCKER),
  message: z.string().describe('The issue.'),
  sentence: z.string().describe('What a person has to do.'),
});

export interface Need extends Infer<typeof need> {}
