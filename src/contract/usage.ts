import { z } from 'zod';
import type { Infer } from './infer';

export const count = z.int().min(0);

export const tokenUsage = z.object({
  promptTokens: count.describe('Tokens of what models were sent.'),
  completionTokens: count.describe('Tokens of what models answered.'),
  totalTokens: count.describe('The sum of both.'),
  modelCalls: count.describe(
    'Model calls that were answered; a call that failed has no known tokens and is not counted.',
  ),
  usd: z.number().min(0).nullable().describe('US dollars; null once a call was made whose price is not known.'),
});

/** What model calls cost, of a version or of a whole run. */
export interface TokenUsage extends Infer<typeof tokenUsage> {}
