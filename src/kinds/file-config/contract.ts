import { z } from 'zod';
import { MAXIMUM_REPLANS } from '../plan/base/defaults';
import { reflectionConfig } from '../agents/contract/agents';
import { optional } from '../../lib/contract/values';

/** The settings by which plans are evaluated and made anew. */
const planConfig = z.strictObject({
  enableReflection: z.boolean().default(true).describe('False: nothing is judged, replanned or learned.'),
  maxReplanningAttempts: z.int().min(0).max(MAXIMUM_REPLANS).default(2).describe('Plans after the first at most.'),
});

const globalConfig = z.strictObject({ reflection: optional(reflectionConfig, 'When and how agents reflect.') });

/** The form of a configuration file. */
export const fileConfig = z
  .strictObject({
    globalConfig: optional(globalConfig, 'Configuration of populations.'),
    agent: optional(planConfig, 'Configuration of plans.'),
  })
  .transform(({ globalConfig: all, agent }) => ({ reflection: all?.reflection, plan: agent }));

/** The content of a configuration file: `global_config.reflection`, and `agent`. */
export type FileConfig = z.output<typeof fileConfig>;
