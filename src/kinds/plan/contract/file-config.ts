import { z } from 'zod';
import { optional } from '../../../lib/contract/values';
import { MAXIMUM_REPLANS } from '../base/defaults';

const planConfig = z.strictObject({
  enableReflection: z.boolean().default(true).describe('False: nothing is judged, replanned or learned.'),
  maxReplanningAttempts: z.int().min(0).max(MAXIMUM_REPLANS).default(2).describe('Plans after the first at most.'),
});

/** The field of a configuration file that is about plans. */
export const planFileConfig = { agent: optional(planConfig, 'Configuration of plans.') };
