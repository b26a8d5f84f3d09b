import { z } from 'zod';
import type { Infer } from './infer';

export const count = z.int().min(0);

export const tokenUsage = z.object({
  promptTokens: count.describe('Tokens of the prompts.'),
  completionTokens: count.describe('Tokens of the replies.'),
  totalTokens: count.describe('The sum of both.'),
  modelCalls: count.describe('Number of answered model calls. A failed call has no known tokens and is not counted.'),
  usd: z.number().min(0).nullable().describe('US dollars; null once the price of a call is unknown.'),
});

/** What model calls cost, of a version or of a whole run. */
export interface TokenUsage extends Infer<typeof tokenUsage> {}
