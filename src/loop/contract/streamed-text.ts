import { z } from 'zod';
import type { Infer } from '../../lib/contract/infer';
import { count } from '../../lib/contract/values';

/** A draft, a whole new version, edits of the version before, or advice for the next draft. */
export const streamedRole = z.enum(['draft', 'revision', 'edits', 'advice']);
export type StreamedRole = z.infer<typeof streamedRole>;

/** The text of a call that a model is writing, so far: part of the heartbeat details of the call's activity. */
export const streamedText = z.object({
  take: z
    .string()
    .regex(/^\d+\.\d+$/)
    .describe('The attempt, and how often its text began again. Texts of different takes have nothing in common.'),
  role: streamedRole.describe('What the text is for.'),
  iteration: count.describe('The iteration that the call works for.'),
  from: count.describe('The number of characters before `text` that are left out.'),
  text: z.string().describe('The latest characters.'),
});

export interface StreamedText extends Infer<typeof streamedText> {}
