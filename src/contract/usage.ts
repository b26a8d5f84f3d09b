import { z } from 'zod';

export const count = z.int().min(0);

/** Tokens and money, of a version or of a whole run. */
export const tokenUsageSchema = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  modelCalls: count,
  usd: z.number().min(0).nullable(),
});
