import { z } from 'zod';
import { readForm } from '../../lib/contract/form-problems';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { optional } from '../../lib/contract/values';
import { reflectionConfig } from '../agents/contract/agents';
import { MAXIMUM_REPLANS } from '../plan/base/defaults';

const globalConfig = z.strictObject({ reflection: optional(reflectionConfig, 'When and how agents reflect.') });

const planConfig = z.strictObject({
  enableReflection: z.boolean().default(true).describe('False: nothing is judged, replanned or learned.'),
  maxReplanningAttempts: z.int().min(0).max(MAXIMUM_REPLANS).default(2).describe('Plans after the first at most.'),
});

export const fileConfig = z.strictObject({
  globalConfig: optional(globalConfig, 'Configuration of populations.'),
  agent: optional(planConfig, 'Configuration of plans.'),
});

/** The content of a configuration file: `global_config.reflection`, and `agent`. */
export type FileConfig = z.output<typeof fileConfig>;

/** Reads a configuration file's value, and fills in every default. */
export function parseConfig(value: unknown): { config: FileConfig } | { problems: SpecProblem[] } {
  const { data, problems } = readForm(fileConfig, value);
  return data ? { config: data } : { problems };
}
