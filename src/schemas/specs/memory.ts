import { z } from 'zod';
import type { MemorySpec } from '../../domain/spec/memory-spec';
import { duration } from '../values';

/** Insights that a run recalls at most: they stand in each of its prompts. */
const MOST_RECALLED = 50;

export const memoryForm = z.strictObject({
  agent: z.string().min(1).max(200),
  recall: z.int().min(0).max(MOST_RECALLED).optional(),
  store: z.boolean().optional(),
  expiresAfter: duration.optional(),
}) satisfies z.ZodType<MemorySpec>;
